// A scripted OpenAI Chat Completions API on loopback: for the real `copilot`.
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

const CHUNK = 'chat.completion.chunk';
const DONE = 'done';

/** Its `url` with `/v1` behind it is for the base URL of a provider. */
export function startFakeChatCompletions(script: Script): Promise<FakeModel> {
	return startFakeModel(CHAT_COMPLETIONS_API, script);
}

const CHAT_COMPLETIONS_API: ModelWire = {
	path: '/v1/chat/completions',
	title: 'Chat Completions API',
	others: { 'GET /v1/models': { object: 'list', data: [] } },
	parse: parseChatRequest,
	toBody: toChatBody,
	toSteps: toChatSteps,
	toError: ({ type, message, retry }) => ({
		headers: { 'x-should-retry': String(retry === true) },
		body: { error: { type, message, code: type, param: null } },
	}),
	toSse: toChatSse,
	half: { steps: 2, event: CHUNK },
};

/** Undefined when the body is not a Chat Completions request. */
function parseChatRequest(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined {
	if (!isRecord(body) || typeof body.model !== 'string' || !Array.isArray(body.messages)) return undefined;
	const messages = body.messages.filter(isRecord);
	const isSystem = ({ role }: Record<string, unknown>) => role === 'system' || role === 'developer';
	return toModelRequest({
		index,
		agent: 'main',
		model: body.model,
		stream: body.stream === true,
		tools: toolNames(Array.isArray(body.tools) ? body.tools.map((tool) => (isRecord(tool) ? tool.function : undefined)) : []),
		system: messages.filter(isSystem).flatMap(textsOf).join('\n'),
		messages: joinResults(messages.filter((each) => !isSystem(each)).map(toMessage)),
		headers,
		body,
	});
}

function toMessage(raw: Record<string, unknown>): ApiMessage {
	const texts = textsOf(raw).map((text) => ({ type: 'text', text: withoutSurroundings(text) }));
	if (raw.role === 'tool')
		return { role: 'user', content: [{ type: 'tool_result', tool_use_id: raw.tool_call_id, content: texts }] };
	const calls = Array.isArray(raw.tool_calls) ? raw.tool_calls.filter(isRecord).map(readCall) : [];
	return { role: typeof raw.role === 'string' ? raw.role : '', content: [...texts, ...calls] };
}

function textsOf({ content }: Record<string, unknown>): string[] {
	if (typeof content === 'string') return [content];
	const parts = Array.isArray(content) ? content.filter(isRecord) : [];
	return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/** Copilot adds the time and its reminders to the user's text. */
const SURROUNDINGS = /<(current_datetime|system_reminder|system_notification)>[\s\S]*?<\/\1>\s*/g;

function withoutSurroundings(text: string): string {
	return text.replace(SURROUNDINGS, '').trim();
}

function readCall(raw: Record<string, unknown>): ApiBlock {
	const call = isRecord(raw.function) ? raw.function : {};
	return { type: 'tool_use', id: raw.id, name: call.name, input: call.arguments };
}

type Json = Readonly<Record<string, unknown>>;
type ChatCall = { readonly id: string; readonly type: 'function'; readonly function: { name: string; arguments: string } };

function toChatBody(request: ModelRequest, reply: MessageReply): Json {
	const texts = reply.blocks.flatMap((block) => (block.type === 'text' ? block.chunks : []));
	const calls = reply.blocks.flatMap((block, index) => (block.type === 'tool_use' ? [toCall(request, block, index)] : []));
	const message = { role: 'assistant', content: texts.join(''), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
	return {
		...identify(request),
		object: 'chat.completion',
		choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
		usage: toUsage(reply.usage),
	};
}

function toChatSteps(request: ModelRequest, reply: MessageReply): readonly StreamStep[] {
	const chunk = (delta: Json, finish_reason: string | null = null) => ({
		...event(request),
		choices: [{ index: 0, delta, finish_reason }],
	});
	const deltas = reply.blocks.flatMap((block, index) => blockDeltas(request, block, index));
	return [
		step(chunk({ role: 'assistant', content: '' })),
		...paceText(
			deltas.map((delta) => chunk(delta)),
			isText,
		),
		step(chunk({}, finishReason(reply))),
		step({ ...event(request), choices: [], usage: toUsage(reply.usage) }),
		step({ type: DONE }),
	];
}

/** Chunks have no event name, and `[DONE]` ends the stream. */
function toChatSse({ type, ...chunk }: StreamEvent): string {
	return `data: ${type === DONE ? '[DONE]' : JSON.stringify(chunk)}\n\n`;
}

function event(request: ModelRequest): StreamEvent {
	return { type: CHUNK, ...identify(request), object: CHUNK };
}

function identify({ index, model }: ModelRequest): Json {
	return { id: `chatcmpl_fake${fourDigits(index)}`, created: 1_794_700_000 + index, model };
}

function isText({ choices }: StreamEvent): boolean {
	return JSON.stringify(choices).includes('"content":');
}

function finishReason({ blocks, stopReason }: MessageReply): string {
	return stopReason ?? (blocks.some(({ type }) => type === 'tool_use') ? 'tool_calls' : 'stop');
}

function toUsage(usage: MessageReply['usage']): Json {
	const { input, cached, output, reasoning, total } = countOpenAiUsage(usage);
	return {
		prompt_tokens: input,
		completion_tokens: output,
		total_tokens: total,
		prompt_tokens_details: { cached_tokens: cached },
		completion_tokens_details: { reasoning_tokens: reasoning },
	};
}

function toCall(request: ModelRequest, { id, name, input }: Extract<Block, { type: 'tool_use' }>, index: number): ChatCall {
	const made = `call_fake${fourDigits(request.index)}_${index}`;
	return { id: id ?? made, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function blockDeltas(request: ModelRequest, block: Block, index: number): readonly Json[] {
	switch (block.type) {
		case 'text':
			return block.chunks.map((content) => ({ content }));
		case 'thinking':
			return [{ reasoning_content: block.thinking }];
		case 'tool_use':
			return callDeltas(toCall(request, block, index), index);
	}
}

/** The first piece names the call; the others continue its arguments. */
function callDeltas(call: ChatCall, index: number): readonly Json[] {
	const { name, arguments: whole } = call.function;
	const [first = '', second = ''] = inHalves(whole);
	return [
		{ tool_calls: [{ index, ...call, function: { name, arguments: first } }] },
		{ tool_calls: [{ index, function: { arguments: second } }] },
	];
}
