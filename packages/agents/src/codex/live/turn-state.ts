// The state of a Codex turn, which gets its id some time after it was requested.

export type TurnState = {
	starting(): void;
	/** Only now can it be interrupted. */
	begun(id: string): void;
	ended(): void;
	isRunning(): boolean;
	id(): string | undefined;
	/** Resolves with the id; undefined where it ends without one. */
	known(): Promise<string | undefined>;
	over(): Promise<void>;
	/** Aborted when pending asks are obsolete. */
	signal(): AbortSignal;
	stopAsking(): void;
};

type Running = {
	id?: string;
	named: PromiseWithResolvers<string | undefined>;
	over: PromiseWithResolvers<void>;
};

export function createTurnState(): TurnState {
	let running: Running | undefined;
	let asking = new AbortController();

	return {
		starting() {
			asking = new AbortController();
			running = { named: Promise.withResolvers(), over: Promise.withResolvers() };
		},
		begun(id) {
			if (!running || running.id !== undefined) return;
			running.id = id;
			running.named.resolve(id);
		},
		ended() {
			running?.named.resolve(undefined);
			running?.over.resolve();
			running = undefined;
		},
		isRunning: () => running !== undefined,
		id: () => running?.id,
		known: async () => await running?.named.promise,
		over: async () => await running?.over.promise,
		signal: () => asking.signal,
		stopAsking: () => asking.abort(),
	};
}
