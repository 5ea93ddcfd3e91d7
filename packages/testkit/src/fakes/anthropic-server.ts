// A scripted Anthropic Messages API on loopback: for the real `claude`.
import type { Block, MessageReply, Usage } from './model-reply.ts';
import { type ModelRequest, parseModelRequest } from './model-request.ts';
import { type FakeModel, type ModelWire, startFakeModel } from './model-server.ts';
import type { Script } from './script.ts';
import { fourDigits, inHalves, paceText, type StreamEvent, type StreamStep, step } from './sse-step.ts';

/** Its `url` is for ANTHROPIC_BASE_URL. */
export function startFakeAnthropic(script: Script): Promise<FakeModel> {
	return startFakeModel(MESSAGES_API, script);
}

const MESSAGES_API: ModelWire = {
	path: '/v1/messages',
	title: 'Messages API',
	others: { 'POST /v1/messages/count_tokens': { input_tokens: 1 } },
	parse: parseModelRequest,
	toBody: (request, reply) => toMessageBody(identify(request), reply),
	toSteps: (request, reply) => toStreamSteps(identify(request), reply),
	// Without the API's own `x-should-retry` header, clients retry a 5xx for minutes.
	toError: ({ type, message, retry }) => ({
		headers: { 'x-should-retry': String(retry === true) },
		body: { type: 'error', error: { type, message } },
	}),
	half: { steps: 3, event: 'content_block_delta' },
};

function identify(request: ModelRequest): MessageIdentity {
	return { id: `msg_fake${fourDigits(request.index)}`, model: request.model };
}

type MessageIdentity = { readonly id: string; readonly model: string };

const defaultUsage: Usage = {
	input_tokens: 100,
	output_tokens: 20,
	cache_creation_input_tokens: 0,
	cache_read_input_tokens: 0,
};

function toMessageBody(identity: MessageIdentity, reply: MessageReply): Readonly<Record<string, unknown>> {
	const content = reply.blocks.map((block, index) => wholeBlock(block, toolId(identity, block, index)));
	return { ...emptyMessage(identity), content, stop_reason: stopReason(reply), usage: { ...defaultUsage, ...reply.usage } };
}

function toStreamSteps(identity: MessageIdentity, reply: MessageReply): readonly StreamStep[] {
	const usage = { ...defaultUsage, ...reply.usage };
	const events = reply.blocks.flatMap((block, index) => blockEvents(block, index, toolId(identity, block, index)));
	const isText = ({ type, index }: StreamEvent) =>
		type === 'content_block_delta' && typeof index === 'number' && reply.blocks[index]?.type === 'text';
	return [
		step({ type: 'message_start', message: { ...emptyMessage(identity), usage: { ...usage, output_tokens: 1 } } }),
		...paceText(events, isText),
		step({ type: 'message_delta', delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage }),
		step({ type: 'message_stop' }),
	];
}

function emptyMessage({ id, model }: MessageIdentity): Readonly<Record<string, unknown>> {
	return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
}

function stopReason(reply: MessageReply): string {
	return reply.stopReason ?? (reply.blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
}

function toolId(identity: MessageIdentity, block: Block, index: number): string {
	return (block.type === 'tool_use' ? block.id : undefined) ?? `${identity.id.replace('msg_', 'toolu_')}_${index}`;
}

function wholeBlock(block: Block, id: string): Readonly<Record<string, unknown>> {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.chunks.join('') };
		case 'thinking':
			return { type: 'thinking', thinking: block.thinking, signature: block.signature };
		case 'tool_use':
			return { type: 'tool_use', id, name: block.name, input: block.input };
	}
}

function blockEvents(block: Block, index: number, id: string): readonly StreamEvent[] {
	return [
		{ type: 'content_block_start', index, content_block: blockStart(block, id) },
		...blockDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
}

function blockStart(block: Block, id: string): Readonly<Record<string, unknown>> {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: '' };
		case 'thinking':
			return { type: 'thinking', thinking: '', signature: '' };
		case 'tool_use':
			return { type: 'tool_use', id, name: block.name, input: {} };
	}
}

function blockDeltas(block: Block): readonly StreamEvent[] {
	switch (block.type) {
		case 'text':
			return block.chunks.map((text) => ({ type: 'text_delta', text }));
		case 'thinking':
			return [
				{ type: 'thinking_delta', thinking: block.thinking },
				{ type: 'signature_delta', signature: block.signature },
			];
		case 'tool_use':
			return inHalves(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
	}
}
