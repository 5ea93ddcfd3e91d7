// One call by the Responses API, as a script reads every call: its items become messages with blocks.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiBlock, type ApiMessage, isRecord, type ModelRequest, toModelRequest, toolNames } from './model-request.ts';

/** Undefined when the body is not a Responses API request. */
export function parseResponsesRequest(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined {
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
export function listTools(body: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
	const items = Array.isArray(body.input) ? body.input.filter(isRecord) : [];
	const given = [body, ...items.filter(({ type }) => type === 'additional_tools')].flatMap(({ tools }) => tools ?? []);
	return given
		.filter(isRecord)
		.flatMap(({ tools, ...tool }) =>
			Array.isArray(tools) ? tools.filter(isRecord).map((each) => ({ ...each, namespace: tool.name })) : [tool],
		);
}

/** Codex puts what it knows of its surroundings before the user's words, as a message of the user. */
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

/** A freeform tool says whether it worked in its own words only, so nothing is marked as an error here. */
function toResult(item: Record<string, unknown>): ApiBlock {
	return { type: 'tool_result', tool_use_id: item.call_id, content: toBlocks(item.output) };
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
