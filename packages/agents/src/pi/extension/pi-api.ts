// What Roost's extensions use of Pi's extension API, as Pi 0.87 has it. Types only: Pi itself hands in the rest.

export type PiApi = {
	on(event: 'session_start', handler: (event: { reason: string }, context: PiContext) => void): void;
	on(event: 'turn_end', handler: (event: unknown, context: PiContext) => void): void;
	/** A handler that throws blocks the call. */
	on(event: 'tool_call', handler: (event: PiToolCall, context: PiContext) => Promise<PiBlock | undefined>): void;
	registerCommand(name: string, command: PiCommand): void;
	/** Kept in the session's file and shown to no model. */
	appendEntry(customType: string, content: unknown): void;
};

export type PiToolCall = {
	toolCallId: string;
	toolName: string;
	/** Changed in place it changes what is executed. Pi does not check it again. */
	input: Record<string, unknown>;
};

export type PiBlock = { block: true; reason: string };

export type PiContext = {
	readonly cwd: string;
	/** Of the turn that is under way. */
	readonly signal?: AbortSignal | undefined;
	readonly ui: {
		/** Undefined where nobody answered. */
		input(title: string, placeholder: string, options: { signal?: AbortSignal | undefined }): Promise<string | undefined>;
		setStatus(key: string, text: string): void;
	};
	readonly sessionManager: {
		getLeafEntry(): PiEntry | undefined;
		getEntry(id: string): PiEntry | undefined;
	};
};

export type PiEntry = { id: string; parentId: string | null; message?: { role: string } };

export type PiCommand = {
	description: string;
	handler(argument: string, context: PiCommandContext): Promise<void>;
};

export type PiCommandContext = PiContext & {
	fork(entryId: string, options: { position: 'at' }): Promise<{ cancelled: boolean }>;
};
