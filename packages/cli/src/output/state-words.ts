// What a session is doing, in the words of every face: lists, details and the terminal.
import type { SessionRow } from '@roost/protocol/session-row';

export type ShownState = Pick<SessionRow, 'agent' | 'status' | 'lastRun' | 'ownDialog'>;

/** `isUp`: a runner listens to the agent; without one, what it was doing may be over. */
export function stateWords(state: ShownState, isUp = true): string {
	const words = `${runWords(state)}${lastRunWords(state)}`;
	const isLive = state.status === 'working' || state.status === 'waiting';
	return isLive && !isUp ? `unknown (last recorded: ${words}; no runner is up)` : words;
}

export function runWords({ agent, status, ownDialog }: ShownState): string {
	if (status !== 'waiting') return status;
	if (ownDialog === undefined) return 'waiting for you';
	return ownDialog === 'expired' ? `expired, still open in ${agentName(agent)}` : `waiting in ${agentName(agent)}`;
}

/** An interrupted run leaves an agent that waits for the next prompt: it is idle, and this is why. */
export function lastRunWords({ status, lastRun }: Pick<ShownState, 'status' | 'lastRun'>): string {
	return status === 'idle' && lastRun ? ` (${LAST_RUN[lastRun]})` : '';
}

const LAST_RUN = { failed: 'the last run failed', aborted: 'the last run was interrupted' };

function agentName(agent: string): string {
	return `${agent.charAt(0).toUpperCase()}${agent.slice(1)}`;
}
