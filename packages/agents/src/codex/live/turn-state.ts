// The state of a Codex turn, which gets its id some time after it was requested.

type Running = {
	id?: string;
	named: PromiseWithResolvers<string | undefined>;
	over: PromiseWithResolvers<void>;
};

export function createTurnState() {
	let running: Running | undefined;
	let asking = new AbortController();

	return {
		starting(): void {
			asking = new AbortController();
			running = { named: Promise.withResolvers(), over: Promise.withResolvers() };
		},
		/** Only now can it be interrupted. */
		begun(id: string): void {
			if (!running || running.id !== undefined) return;
			running.id = id;
			running.named.resolve(id);
		},
		ended(): void {
			running?.named.resolve(undefined);
			running?.over.resolve();
			running = undefined;
		},
		isRunning: () => running !== undefined,
		id: () => running?.id,
		/** Resolves with the id; undefined where it ends without one. */
		known: async () => await running?.named.promise,
		over: async () => await running?.over.promise,
		/** Aborted when pending asks are obsolete. */
		signal: (): AbortSignal => asking.signal,
		stopAsking: () => asking.abort(),
	};
}
