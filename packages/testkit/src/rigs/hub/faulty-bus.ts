// A bus that loses, doubles and reorders messages while a test says so.
import { type Bus, disconnected } from '@roost/hub/bus/bus';
import { err } from '@roost/protocol/result';

export type Faults = 'none' | 'drop' | 'double and reorder';

export type FaultyBus = Bus & { faults: Faults };

/** Messages that are held back, each twice, until there are this many. */
const MOST_HELD = 6;

export function createFaultyBus(bus: Bus): FaultyBus {
	const held: [subject: string, text: string][] = [];
	let turn = 0;
	const faulty: FaultyBus = {
		...bus,
		faults: 'none',
		publish(subject, text) {
			if (faulty.faults === 'none') bus.publish(subject, text);
			if (faulty.faults !== 'double and reorder') return;
			held.push([subject, text], [subject, text]);
			while (held.length > MOST_HELD) {
				// Not random, so that a failure repeats.
				turn = (turn * 7 + 3) % 101;
				for (const message of held.splice(turn % held.length, 1)) bus.publish(...message);
			}
		},
		request: async (subject, text, timeoutMs) =>
			faulty.faults === 'drop' ? err(disconnected()) : await bus.request(subject, text, timeoutMs),
		[Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
	};
	return faulty;
}
