// An agent that is driven by the least that its protocol asks for: the floor for one that Roost drives.
export type BareAgent = AsyncDisposable & {
	/** Resolves when all that came of it is over. */
	prompt(): Promise<void>;
};

export type BareProgram = {
	readonly program: string;
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
	/** A command line that it runs before each call. */
	readonly hook?: string;
};
