// Callers that wait for the outcomes of their commands; several may repeat the same one.
import type { LinkOutcome } from '@roost/protocol/hub/link-frames';

export type Callers = {
	/** `outcome` is undefined if it does not come in time. */
	wait(id: string): { outcome: Promise<LinkOutcome | undefined>; giveUp(): void };
	has(id: string): boolean;
	ids(): string[];
	tell(id: string, outcome: LinkOutcome): void;
};

export function createCallers(waitMs: number): Callers {
	const waiting = new Map<string, Set<(outcome: LinkOutcome | undefined) => void>>();
	return {
		wait(id) {
			const { promise, resolve } = Promise.withResolvers<LinkOutcome | undefined>();
			const callers = waiting.get(id) ?? new Set();
			waiting.set(id, callers.add(end));
			const timer = setTimeout(end, waitMs, undefined);

			function end(outcome: LinkOutcome | undefined): void {
				clearTimeout(timer);
				callers.delete(end);
				if (callers.size === 0 && waiting.get(id) === callers) waiting.delete(id);
				resolve(outcome);
			}
			return { outcome: promise, giveUp: () => end(undefined) };
		},
		has: (id) => waiting.has(id),
		ids: () => [...waiting.keys()],
		tell(id, outcome) {
			for (const end of [...(waiting.get(id) ?? [])]) end(outcome);
		},
	};
}
