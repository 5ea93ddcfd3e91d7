// The part of Pi's extension API that Roost uses, as in Pi 0.87. Types only.

export type PiApi = {
	on(event: 'session_start', handler: (event: { reason: string }, context: PiContext) => void): void;
	on(event: 'turn_end', handler: (event: unknown, context: PiContext) => void): void;
	/** A handler that throws blocks the call. */
	on(event: 'tool_call', handler: (event: PiToolCall, context: PiContext) => Promise<PiBlock | undefined>): void;
	on(event: 'message_end', handler: (event: { message: PiMessage }, context: PiContext) => void): void;
	on(event: 'tool_execution_start', handler: (event: PiExecution, context: PiContext) => void): void;
	on(event: 'tool_execution_end', handler: (event: PiExecuted, context: PiContext) => void): void;
	on(event: 'agent_settled', handler: (event: unknown, context: PiContext) => void): void;
	/** Pi waits for it. */
	on(event: 'session_shutdown', handler: (event: { reason: string }, context: PiContext) => Promise<void>): void;
	registerCommand(name: string, command: PiCommand): void;
	/** Stored in the session's file, not sent to a model. */
	appendEntry(customType: string, content: unknown): void;
};

export type PiToolCall = {
	toolCallId: string;
	toolName: string;
	/** Changes in place are executed without another check. */
	input: Record<string, unknown>;
};

export type PiMessage = {
	role: string;
	content: string | { type: string; text?: string }[];
	model?: string;
	usage?: PiUsage;
	stopReason?: string;
	errorMessage?: string;
};

export type PiUsage = { input: number; output: number; cacheRead: number; cacheWrite: number; reasoning?: number };

export type PiExecution = { toolCallId: string; toolName: string; args: Record<string, unknown> };

export type PiExecuted = {
	toolCallId: string;
	toolName: string;
	result: { content?: { type: string; text?: string }[] };
	isError: boolean;
};

export type PiBlock = { block: true; reason: string };

export type PiContext = {
	readonly cwd: string;
	readonly model?: { id: string; provider: string } | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly ui: {
		/** Undefined without an answer. */
		input(title: string, placeholder: string, options: { signal?: AbortSignal | undefined }): Promise<string | undefined>;
		setStatus(key: string, text: string): void;
	};
	readonly sessionManager: {
		getSessionId(): string;
		/** Undefined for a session that is not stored. */
		getSessionFile(): string | undefined;
		getEntries(): PiEntry[];
		getLeafEntry(): PiEntry | undefined;
		getEntry(id: string): PiEntry | undefined;
	};
};

export type PiEntry = { id: string; parentId: string | null; message?: PiMessage };

export type PiCommand = {
	description: string;
	handler(argument: string, context: PiCommandContext): Promise<void>;
};

export type PiCommandContext = PiContext & {
	fork(entryId: string, options: { position: 'at' }): Promise<{ cancelled: boolean }>;
};
