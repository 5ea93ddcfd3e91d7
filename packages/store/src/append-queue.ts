// Group commit: all requests of one turn of the event loop share one transaction, and so one disk sync.
export type AppendQueue<Request, Outcome> = {
	add(request: Request): Promise<Outcome>;
	isIdle(): boolean;
	/** Commits the pending requests now. */
	flush(): void;
};

export function createAppendQueue<Request, Outcome>(
	commit: (group: readonly Request[]) => readonly Outcome[],
): AppendQueue<Request, Outcome> {
	let waiting: { request: Request; settle: PromiseWithResolvers<Outcome> }[] = [];

	function flush(): void {
		const group = waiting;
		waiting = [];
		if (group.length === 0) return;
		try {
			const outcomes = commit(group.map(({ request }) => request));
			for (const [index, outcome] of outcomes.entries()) group[index]?.settle.resolve(outcome);
		} catch (bug) {
			for (const { settle } of group) settle.reject(bug);
		}
	}

	return {
		add(request) {
			const settle = Promise.withResolvers<Outcome>();
			waiting.push({ request, settle });
			if (waiting.length === 1) setImmediate(flush);
			return settle.promise;
		},
		isIdle: () => waiting.length === 0,
		flush,
	};
}
