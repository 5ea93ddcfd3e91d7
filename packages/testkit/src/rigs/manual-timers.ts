// A clock that only `advance` moves: deadlines and scripts run without waiting.
import type { Timers } from '@roost/machine/timers';

export type ManualTimers = Timers & {
	now(): number;
	/** Advances the time and runs due timers in order. */
	advance(ms: number): void;
	waiting(): number;
};

export function createManualTimers(start = 0): ManualTimers {
	const entries = new Set<{ at: number; run: () => void }>();
	let time = start;
	const next = (until: number) => {
		const due = [...entries].filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at);
		return due[0];
	};
	return {
		now: () => time,
		waiting: () => entries.size,
		after(ms, run) {
			const entry = { at: time + ms, run };
			entries.add(entry);
			return () => entries.delete(entry);
		},
		advance(ms) {
			const until = time + ms;
			for (let entry = next(until); entry; entry = next(until)) {
				entries.delete(entry);
				time = entry.at;
				entry.run();
			}
			time = until;
		},
	};
}
