// The replies of the fake model as data, and functions that make them.
import type { Gate } from './gate.ts';

export type Block =
	| { readonly type: 'text'; readonly chunks: readonly string[] }
	| { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
	| { readonly type: 'tool_use'; readonly id?: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type Usage = {
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly cache_creation_input_tokens: number;
	readonly cache_read_input_tokens: number;
	/** Only where a test sets it; the other APIs always report a part of the output as this. */
	readonly output_tokens_details?: { readonly thinking_tokens: number };
};

/** How long the chunks after the first wait: for a gate, or a number of milliseconds each. */
export type Pace = { readonly gate: Gate } | { readonly delayMs: number };

/** `cut`: the connection breaks in mid-message. `not-json`: an event without JSON. `not-sse`: a web page. */
export type Malformation = 'cut' | 'not-json' | 'not-sse';

export type MessageReply = {
	readonly kind: 'message';
	readonly blocks: readonly Block[];
	readonly usage?: Partial<Usage>;
	readonly stopReason?: string;
	readonly pace?: Pace;
};

export type ErrorReply = {
	readonly kind: 'error';
	readonly status: number;
	readonly type: string;
	readonly message: string;
	/** Whether the client should retry; false by default. */
	readonly retry?: boolean;
};

export type ModelReply =
	| MessageReply
	| ErrorReply
	| { readonly kind: 'hang' }
	| { readonly kind: 'malformed'; readonly how: Malformation };

/** Text; each chunk is sent as one delta. */
export function say(...chunks: readonly string[]): Block {
	return { type: 'text', chunks };
}

export function think(thinking: string): Block {
	return { type: 'thinking', thinking, signature: 'fake-signature' };
}

/** Several in one turn are called in parallel. Without an id the server makes one. */
export function callTool(name: string, input: Readonly<Record<string, unknown>>, id?: string): Block {
	return { type: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

export function message(blocks: readonly Block[], options: Omit<MessageReply, 'kind' | 'blocks'> = {}): MessageReply {
	return { kind: 'message', blocks, ...options };
}

export function apiError(status: number, type: string, text: string, options: { readonly retry?: boolean } = {}): ErrorReply {
	return { kind: 'error', status, type, message: text, ...options };
}

/** Accepts the request and never answers it. */
export function hang(): ModelReply {
	return { kind: 'hang' };
}

export function malformed(how: Malformation): ModelReply {
	return { kind: 'malformed', how };
}
