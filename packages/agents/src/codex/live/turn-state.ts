// Where a turn of Codex stands: it is asked for first, and has a name of its own only later.

export type TurnState = {
	/** A prompt was sent. */
	starting(): void;
	/** It runs: only now can it be interrupted, although Codex named it before. */
	begun(id: string): void;
	ended(): void;
	isRunning(): boolean;
	/** Its name, where it has one. */
	id(): string | undefined;
	/** Its name, as soon as it has one; undefined where it ends without. */
	known(): Promise<string | undefined>;
	/** Resolves when it has ended. */
	over(): Promise<void>;
	/** Aborted when nobody needs to be asked any more. */
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
