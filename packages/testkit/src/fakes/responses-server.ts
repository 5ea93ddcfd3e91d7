// A scripted OpenAI Responses API on loopback: for the real `codex`.
import type { IncomingHttpHeaders } from 'node:http';
import type { Block, MessageReply } from './model-reply.ts';
import {
	type ApiBlock,
	type ApiMessage,
	isRecord,
	joinResults,
	type ModelRequest,
	toModelRequest,
	toolNames,
} from './model-request.ts';
import { type FakeModel, type ModelWire, startFakeModel } from './model-server.ts';
import type { Script } from './script.ts';
import { countOpenAiUsage, fourDigits, inHalves, paceText, type StreamEvent, type StreamStep, step } from './sse-step.ts';

/** Its `url` with `/v1` behind it is for `base_url` of a provider. */
export function startFakeResponses(script: Script): Promise<FakeModel> {
	return startFakeModel(RESPONSES_API, script);
}

const RESPONSES_API: ModelWire = {
	path: '/v1/responses',
	title: 'Responses API',
	others: { 'GET /v1/models': { object: 'list', data: [], models: [] } },
	parse: parseResponsesRequest,
	toBody: toResponseBody,
	toSteps: toResponseSteps,
	toError: ({ type, message }) => ({ headers: {}, body: { error: { type, message, code: type, param: null } } }),
	half: { steps: 3, event: 'response.output_text.delta' },
};

/** Undefined when the body is not a Responses API request. */
function parseResponsesRequest(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined {
	if (!isRecord(body) || typeof body.model !== 'string' || !Array.isArray(body.input)) return undefined;
	const { 'x-openai-subagent': subagent, thread_id: agentId } = isRecord(body.client_metadata) ? body.client_metadata : {};
	return toModelRequest({
		index,
		agent: subagent === undefined ? 'main' : 'subagent',
		...(subagent !== undefined && typeof agentId === 'string' ? { agentId } : {}),
		model: body.model,
		stream: body.stream === true,
		tools: toolNames(listTools(body)),
		system: typeof body.instructions === 'string' ? body.instructions : '',
		messages: joinResults(body.input.filter(isRecord).flatMap(toMessage)),
		headers,
		body,
	});
}

/** Some models are given their tools at the head of the conversation, in groups. */
function listTools(body: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
	const items = Array.isArray(body.input) ? body.input.filter(isRecord) : [];
	const given = [body, ...items.filter(({ type }) => type === 'additional_tools')].flatMap(({ tools }) => tools ?? []);
	return given
		.filter(isRecord)
		.flatMap(({ tools, ...tool }) =>
			Array.isArray(tools) ? tools.filter(isRecord).map((each) => ({ ...each, namespace: tool.name })) : [tool],
		);
}

/** Codex sends its environment as a user message before the user's prompt. */
const SURROUNDINGS = /^(?:<environment_context>|<user_instructions>|# AGENTS\.md instructions)/;

function toMessage(item: Record<string, unknown>): readonly ApiMessage[] {
	switch (item.type) {
		case 'message':
		case undefined: {
			const content = toBlocks(item.content);
			const isSurroundings = content.every(({ text }) => typeof text === 'string' && SURROUNDINGS.test(text));
			const role = typeof item.role === 'string' ? item.role : '';
			return [{ role: role === 'user' && isSurroundings ? 'surroundings' : role, content }];
		}
		case 'function_call':
		case 'custom_tool_call':
			return [{ role: 'assistant', content: [toCall(item)] }];
		case 'function_call_output':
		case 'custom_tool_call_output':
			return [{ role: 'user', content: [toResult(item)] }];
		default:
			return [];
	}
}

function toBlocks(content: unknown): readonly ApiBlock[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	if (!Array.isArray(content)) return [];
	return content.filter(isRecord).map((part) => ({ ...part, type: typeof part.text === 'string' ? 'text' : String(part.type) }));
}

function toCall(item: Record<string, unknown>): ApiBlock {
	const input = item.type === 'custom_tool_call' ? { input: item.input } : item.arguments;
	return { type: 'tool_use', id: item.call_id, name: item.name, input };
}

/** A freeform tool reports errors only in its text, so nothing is marked as an error here. */
function toResult(item: Record<string, unknown>): ApiBlock {
	return { type: 'tool_result', tool_use_id: item.call_id, content: toBlocks(item.output) };
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

function toResponseBody(request: ModelRequest, reply: MessageReply): Readonly<Record<string, unknown>> {
	const output = reply.blocks.map((block, index) => wholeItem(request, block, index));
	return { ...emptyResponse(request), status: 'completed', output, usage: toUsage(reply.usage) };
}

function toResponseSteps(request: ModelRequest, reply: MessageReply): readonly StreamStep[] {
	const events = reply.blocks.flatMap((block, index) => itemEvents(block, wholeItem(request, block, index), index));
	return [
		step({ type: 'response.created', response: emptyResponse(request) }),
		...paceText(events, ({ type }) => type === 'response.output_text.delta'),
		step({ type: 'response.completed', response: toResponseBody(request, reply) }),
	];
}

function emptyResponse({ index, model }: ModelRequest): Readonly<Record<string, unknown>> {
	return { id: `resp_fake${fourDigits(index)}`, object: 'response', model, status: 'in_progress', output: [] };
}

function toUsage(usage: MessageReply['usage']): Readonly<Record<string, unknown>> {
	const { input, cached, output, reasoning, total } = countOpenAiUsage(usage);
	return {
		input_tokens: input,
		input_tokens_details: { cached_tokens: cached },
		output_tokens: output,
		output_tokens_details: { reasoning_tokens: reasoning },
		total_tokens: total,
	};
}

function wholeItem(request: ModelRequest, block: Block, index: number): Item {
	const id = `${fourDigits(request.index)}_${index}`;
	switch (block.type) {
		case 'text': {
			const content = [{ type: 'output_text', text: block.chunks.join(''), annotations: [] }];
			return { type: 'message', id: `msg_fake${id}`, role: 'assistant', status: 'completed', content };
		}
		case 'thinking': {
			const summary = [{ type: 'summary_text', text: block.thinking }];
			return { type: 'reasoning', id: `rs_fake${id}`, summary, encrypted_content: block.signature };
		}
		case 'tool_use': {
			const { name, input } = block;
			const tool = listTools(request.body).find((each) => each.name === name);
			const group = tool?.namespace === undefined ? {} : { namespace: tool.namespace };
			const call = { id: `fc_fake${id}`, call_id: block.id ?? `call_fake${id}`, name, ...group, status: 'completed' };
			// A tool that takes text as it is: a script gives it as `{ input }`.
			if (tool?.type === 'custom') return { type: 'custom_tool_call', ...call, input: String(input.input) };
			return { type: 'function_call', ...call, arguments: JSON.stringify(input) };
		}
	}
}

function itemEvents(block: Block, item: Item, output_index: number): readonly StreamEvent[] {
	const at = { item_id: item.id, output_index };
	return [
		{ type: 'response.output_item.added', output_index, item: { ...item, ...emptied(block, item), status: 'in_progress' } },
		...deltas(block, item).map((event) => ({ ...at, ...event })),
		{ type: 'response.output_item.done', output_index, item },
	];
}

function emptied(block: Block, item: Item): Readonly<Record<string, unknown>> {
	switch (block.type) {
		case 'text':
			return { content: [] };
		case 'thinking':
			return { summary: [] };
		case 'tool_use':
			return 'arguments' in item ? { arguments: '' } : { input: '' };
	}
}

function deltas(block: Block, item: Item): readonly StreamEvent[] {
	switch (block.type) {
		case 'text':
			return block.chunks.map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta }));
		case 'thinking':
			return [
				{ type: 'response.reasoning_summary_part.added', summary_index: 0, part: { type: 'summary_text', text: '' } },
				{ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: block.thinking },
			];
		case 'tool_use': {
			const isFunction = 'arguments' in item;
			const type = isFunction ? 'response.function_call_arguments.delta' : 'response.custom_tool_call_input.delta';
			return inHalves(String(isFunction ? item.arguments : item.input)).map((delta) => ({ type, delta }));
		}
	}
}
