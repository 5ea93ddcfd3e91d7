// What a session is doing in the words of a list, and what an idle one did last where that did not end well.
import type { SessionRow } from '@roost/protocol/session-row';

type State = Pick<SessionRow, 'status' | 'lastRun'>;

export function stateWords(state: State): string {
	return `${state.status}${lastRunWords(state)}`;
}

/** An interrupted run leaves an agent that waits for the next prompt: it is idle, and this is why. */
export function lastRunWords({ status, lastRun }: State): string {
	return status === 'idle' && lastRun ? ` (${LAST_RUN[lastRun]})` : '';
}

const LAST_RUN = { failed: 'the last run failed', aborted: 'the last run was interrupted' };
