// An agent driven by a minimal client of its protocol: the floor for a driven agent.
export type BareAgent = AsyncDisposable & {
	/** Resolves when the turn has ended. */
	prompt(): Promise<void>;
};

export type BareProgram = {
	readonly program: string;
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
	/** A hook command to run before each call. */
	readonly hook?: string;
};
