// A scripted message in the two forms of the Responses API: one JSON body, or server-sent events in their proper order.
import type { Block, MessageReply, Usage } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { listTools } from './responses-server-request.ts';
import { inHalves, paceText, type StreamEvent, type StreamStep, step } from './sse-step.ts';

/** So that sums are readable: 1234 tokens in, 200 of them cached, and 56 out, 7 of them for reasoning. */
const DEFAULT_USAGE: Usage = {
	input_tokens: 1034,
	cache_read_input_tokens: 200,
	cache_creation_input_tokens: 0,
	output_tokens: 56,
};
const REASONING_TOKENS = 7;

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

export function toResponseBody(request: ModelRequest, reply: MessageReply): Readonly<Record<string, unknown>> {
	const output = reply.blocks.map((block, index) => wholeItem(request, block, index));
	return { ...emptyResponse(request), status: 'completed', output, usage: toUsage(reply.usage) };
}

export function toResponseSteps(request: ModelRequest, reply: MessageReply): readonly StreamStep[] {
	const events = reply.blocks.flatMap((block, index) => itemEvents(block, wholeItem(request, block, index), index));
	return [
		step({ type: 'response.created', response: emptyResponse(request) }),
		...paceText(events, ({ type }) => type === 'response.output_text.delta'),
		step({ type: 'response.completed', response: toResponseBody(request, reply) }),
	];
}

function emptyResponse({ index, model }: ModelRequest): Readonly<Record<string, unknown>> {
	return { id: `resp_fake${number(index)}`, object: 'response', model, status: 'in_progress', output: [] };
}

/** The API counts cached tokens among those that went in. */
function toUsage(usage: Partial<Usage> | undefined): Readonly<Record<string, unknown>> {
	const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = { ...DEFAULT_USAGE, ...usage };
	const input = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
	return {
		input_tokens: input,
		input_tokens_details: { cached_tokens: cache_read_input_tokens },
		output_tokens,
		output_tokens_details: { reasoning_tokens: Math.min(REASONING_TOKENS, output_tokens) },
		total_tokens: input + output_tokens,
	};
}

function wholeItem(request: ModelRequest, block: Block, index: number): Item {
	const id = `${number(request.index)}_${index}`;
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

function number(index: number): string {
	return String(index).padStart(4, '0');
}
