// One call by the Chat Completions API, as a script reads every call: its messages become messages with blocks.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiBlock, type ApiMessage, isRecord, type ModelRequest, toModelRequest, toolNames } from './model-request.ts';

/** Undefined when the body is not a Chat Completions request. */
export function parseChatRequest(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined {
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
	const calls = Array.isArray(raw.tool_calls) ? raw.tool_calls.filter(isRecord).map(toCall) : [];
	return { role: typeof raw.role === 'string' ? raw.role : '', content: [...texts, ...calls] };
}

function textsOf({ content }: Record<string, unknown>): string[] {
	if (typeof content === 'string') return [content];
	const parts = Array.isArray(content) ? content.filter(isRecord) : [];
	return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/** Copilot puts the time and its reminders around the user's words, in the same text. */
const SURROUNDINGS = /<(current_datetime|system_reminder|system_notification)>[\s\S]*?<\/\1>\s*/g;

function withoutSurroundings(text: string): string {
	return text.replace(SURROUNDINGS, '').trim();
}

function toCall(raw: Record<string, unknown>): ApiBlock {
	const call = isRecord(raw.function) ? raw.function : {};
	return { type: 'tool_use', id: raw.id, name: call.name, input: call.arguments };
}

/** Results of calls that were made at once are one message, as in the other APIs. */
function joinResults(messages: readonly ApiMessage[]): readonly ApiMessage[] {
	const joined: ApiMessage[] = [];
	for (const message of messages) {
		const before = joined.at(-1);
		if (before && isResult(before) && isResult(message))
			joined[joined.length - 1] = { role: 'user', content: [...before.content, ...message.content] };
		else joined.push(message);
	}
	return joined;
}

function isResult({ content }: ApiMessage): boolean {
	return content.length > 0 && content.every(({ type }) => type === 'tool_result');
}
