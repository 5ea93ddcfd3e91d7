// A scripted message in the two forms of the Chat Completions API: one JSON body, or chunks that end with their usage.
import type { Block, MessageReply, Usage } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { inHalves, paceText, type StreamEvent, type StreamStep, step } from './sse-step.ts';

type Json = Readonly<Record<string, unknown>>;
type ChatCall = { readonly id: string; readonly type: 'function'; readonly function: { name: string; arguments: string } };

export const CHUNK = 'chat.completion.chunk';
const DONE = 'done';

/** So that sums are readable: 1234 tokens in, 200 of them cached, and 56 out, 7 of them for reasoning. */
const DEFAULT_USAGE: Usage = {
	input_tokens: 1034,
	cache_read_input_tokens: 200,
	cache_creation_input_tokens: 0,
	output_tokens: 56,
};
const REASONING_TOKENS = 7;

export function toChatBody(request: ModelRequest, reply: MessageReply): Json {
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

export function toChatSteps(request: ModelRequest, reply: MessageReply): readonly StreamStep[] {
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

/** Chunks have no name, and the end is a word of its own. */
export function toChatSse({ type, ...chunk }: StreamEvent): string {
	return `data: ${type === DONE ? '[DONE]' : JSON.stringify(chunk)}\n\n`;
}

function event(request: ModelRequest): StreamEvent {
	return { type: CHUNK, ...identify(request), object: CHUNK };
}

function identify({ index, model }: ModelRequest): Json {
	return { id: `chatcmpl_fake${String(index).padStart(4, '0')}`, created: 1_794_700_000 + index, model };
}

function isText({ choices }: StreamEvent): boolean {
	return JSON.stringify(choices).includes('"content":');
}

function finishReason({ blocks, stopReason }: MessageReply): string {
	return stopReason ?? (blocks.some(({ type }) => type === 'tool_use') ? 'tool_calls' : 'stop');
}

/** The API counts cached tokens among those that went in. */
function toUsage(usage: Partial<Usage> | undefined): Json {
	const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = { ...DEFAULT_USAGE, ...usage };
	const prompt_tokens = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
	return {
		prompt_tokens,
		completion_tokens: output_tokens,
		total_tokens: prompt_tokens + output_tokens,
		prompt_tokens_details: { cached_tokens: cache_read_input_tokens },
		completion_tokens_details: { reasoning_tokens: Math.min(REASONING_TOKENS, output_tokens) },
	};
}

function toCall(request: ModelRequest, { id, name, input }: Extract<Block, { type: 'tool_use' }>, index: number): ChatCall {
	const made = `call_fake${String(request.index).padStart(4, '0')}_${index}`;
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

/** The first piece names the call, those after it only go on with its arguments. */
function callDeltas(call: ChatCall, index: number): readonly Json[] {
	const { name, arguments: whole } = call.function;
	const [first = '', second = ''] = inHalves(whole);
	return [
		{ tool_calls: [{ index, ...call, function: { name, arguments: first } }] },
		{ tool_calls: [{ index, function: { arguments: second } }] },
	];
}
