// Says when more waits for the hub than should; nothing is dropped because of it.
import type { RunnerId } from '@roost/protocol/ids';
import type { Outbox } from '@roost/store/store';

export type OutboxWatch = {
	/** To be called at the start and after commits. */
	check(): void;
};

export type OutboxWatchDeps = {
	outbox: Pick<Outbox, 'state'>;
	runnerId: RunnerId;
	maxEvents: number;
	warn: (sentence: string) => void;
};

/** Only for a runner with a hub: without one, nothing is ever acknowledged and nothing waits. */
export function createOutboxWatch({ outbox, runnerId, maxEvents, warn }: OutboxWatchDeps): OutboxWatch {
	let hasWarned = false;

	function warnOnce(sentence: string): void {
		if (!hasWarned) warn(sentence);
		hasWarned = true;
	}

	return {
		check() {
			const state = outbox.state(runnerId);
			if (!state.ok) return warnOnce(state.error.message);
			const waiting = state.value.lastSeqNo - state.value.flushedSeqNo;
			if (waiting > maxEvents) warnOnce(tooMany(waiting, maxEvents));
			// Well below the limit, so that a hub which keeps up only just does not make a line per event.
			else if (waiting < maxEvents / 2) hasWarned = false;
		},
	};
}

function tooMany(waiting: number, maxEvents: number): string {
	const remedy = 'check that the hub can be reached, or set hub.enabled to false';
	return `${waiting} events wait for the hub, more than buffer.maxEvents (${maxEvents}); all are kept: ${remedy}.`;
}
