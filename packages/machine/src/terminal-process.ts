// A program that runs in a terminal: bytes in, bytes out. A bare PTY and a tmux session are both one.

export type TerminalProcess = {
	readonly pid: number;
	write(bytes: Uint8Array): void;
	resize(size: TerminalSize): void;
	/** Stops reading; its input still gets through. A program in a bare PTY then waits, one in tmux goes on: tmux reads for it. */
	pause(): void;
	resume(): void;
	/** Returns the unsubscribe function. */
	onBytes(handler: (bytes: Uint8Array) => void): () => void;
	/** Told once, also where it ended before anybody listened. */
	onExit(handler: (end: TerminalEnd) => void): () => void;
	/** The program ends, with everything it started. */
	kill(): Promise<void>;
	/** Lets go of it: a program that can outlive this process does. */
	release(): Promise<void>;
};

export type TerminalSize = { cols: number; rows: number };
export type TerminalEnd = {
	exitCode?: number | undefined;
	signal?: number | undefined;
	/** Its end is that it cannot be reached any more: the program itself may go on. */
	isLost?: boolean | undefined;
};

/** What is run; never a shell string. */
export type TerminalProgram = {
	argv: readonly [string, ...string[]];
	cwd: string;
	env: Record<string, string>;
	size: TerminalSize;
};
