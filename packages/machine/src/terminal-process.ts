// A program in a terminal, as bytes: in a bare PTY or in a tmux session.

export type TerminalProcess = {
	readonly pid: number;
	write(bytes: Uint8Array): void;
	resize(size: TerminalSize): void;
	/** Stops reading its output. A program in a bare PTY then blocks; one in tmux continues, because tmux reads its output. */
	pause(): void;
	resume(): void;
	/** The bytes are valid during the call only. Returns the unsubscribe function. */
	onBytes(handler: (bytes: Buffer) => void): () => void;
	/** Called once, also if it ended before. */
	onExit(handler: (end: TerminalEnd) => void): () => void;
	/** Ends the program and its descendants. */
	kill(): Promise<void>;
	/** Detaches; a program in tmux keeps running. */
	release(): Promise<void>;
};

export type TerminalSize = { cols: number; rows: number };
export type TerminalEnd = {
	exitCode?: number | undefined;
	signal?: number | undefined;
	/** It is unreachable; the program itself may still run. */
	isLost?: boolean | undefined;
};

export type TerminalProgram = {
	argv: readonly [string, ...string[]];
	cwd: string;
	env: Record<string, string>;
	size: TerminalSize;
};
