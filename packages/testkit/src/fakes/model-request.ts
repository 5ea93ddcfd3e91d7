// One call to the fake model, as a script and a test's assertions read it.
import type { IncomingHttpHeaders } from 'node:http';

export type ToolResult = { readonly toolUseId: string; readonly isError: boolean; readonly text: string };

export type ModelRequest = {
	/** Counts all calls from 0. */
	readonly index: number;
	readonly agent: 'main' | 'subagent';
	/** The agent's own id of the subagent; absent for the main one. */
	readonly agentId?: string;
	readonly model: string;
	readonly stream: boolean;
	readonly tools: readonly string[];
	readonly system: string;
	readonly messages: readonly ApiMessage[];
	/** The text of the first user message: for a subagent, its prompt. */
	readonly firstUserText: string;
	/** The text of the last user message; empty when it has only tool results. */
	readonly lastUserText: string;
	/** The tool results in the last user message. */
	readonly toolResults: readonly ToolResult[];
	readonly headers: IncomingHttpHeaders;
	readonly body: Readonly<Record<string, unknown>>;
};

export type ApiMessage = { readonly role: string; readonly content: readonly ApiBlock[] };
export type ApiBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** Undefined when the body is not a Messages API request. */
export function parseModelRequest(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined {
	if (!isRecord(body) || typeof body.model !== 'string' || !Array.isArray(body.messages)) return undefined;
	const agentId = headers['x-claude-code-agent-id'];
	return toModelRequest({
		index,
		agent: agentId === undefined ? 'main' : 'subagent',
		...(typeof agentId === 'string' ? { agentId } : {}),
		model: body.model,
		stream: body.stream === true,
		tools: toolNames(body.tools),
		system: contentText(toBlocks(body.system)),
		messages: body.messages.filter(isRecord).map(toMessage),
		headers,
		body,
	});
}

/** Adds what follows from the messages, for every API. */
export function toModelRequest(call: Omit<ModelRequest, 'firstUserText' | 'lastUserText' | 'toolResults'>): ModelRequest {
	const users = call.messages.filter((each) => each.role === 'user');
	const last = users.at(-1);
	return {
		...call,
		firstUserText: userText(users[0]),
		lastUserText: userText(last),
		toolResults: last === undefined ? [] : last.content.flatMap(toToolResult),
	};
}

export function toolNames(tools: unknown): readonly string[] {
	return (Array.isArray(tools) ? tools : [])
		.filter(isRecord)
		.flatMap((tool) => (typeof tool.name === 'string' ? [tool.name] : []));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The conversation so far, without Claude's reminders. */
export function spokenWords({ messages }: Pick<ModelRequest, 'messages'>): string[] {
	const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
	return spoken.map(userText).filter((text) => text !== '');
}

function toMessage(raw: Record<string, unknown>): ApiMessage {
	return { role: typeof raw.role === 'string' ? raw.role : '', content: toBlocks(raw.content) };
}

function toBlocks(content: unknown): readonly ApiBlock[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	if (!Array.isArray(content)) return [];
	return content.filter(isRecord).map((block) => ({ ...block, type: typeof block.type === 'string' ? block.type : '' }));
}

/** Claude adds its reminders as blocks of the user's message. */
function userText(message: ApiMessage | undefined): string {
	return contentText((message?.content ?? []).filter((block) => !blockText(block).startsWith('<system-reminder>')));
}

function contentText(blocks: readonly ApiBlock[]): string {
	return blocks
		.map(blockText)
		.filter((text) => text !== '')
		.join('\n');
}

function blockText(block: ApiBlock): string {
	return block.type === 'text' && typeof block.text === 'string' ? block.text : '';
}

function toToolResult(block: ApiBlock): readonly ToolResult[] {
	if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return [];
	return [{ toolUseId: block.tool_use_id, isError: block.is_error === true, text: contentText(toBlocks(block.content)) }];
}

/** Results of parallel calls become one message, as in the other APIs. */
export function joinResults(messages: readonly ApiMessage[]): readonly ApiMessage[] {
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
