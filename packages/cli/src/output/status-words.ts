// What an agent does right now, in words: who says so, and how old that is.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AgentStatus } from '@roost/protocol/api/agent-status';

/** "waiting for a permission prompt (its status file, 3s ago)" */
export function statusWords(status: AgentStatus, now: number): string {
	if (status.source === 'none') return 'unknown';
	return `${activityWords(status)} (${SOURCES[status.source]}, ${age(status.asOf, now)} ago)`;
}

function activityWords({ status, waitingFor }: AgentStatus): string {
	if (status !== 'waiting') return status;
	const known = waitingFor !== undefined && Object.hasOwn(WAITS, waitingFor) ? WAITS[waitingFor] : undefined;
	return `waiting for ${known ?? sanitiseLine(waitingFor ?? 'somebody')}`;
}

const SOURCES = { file: 'its status file', hooks: 'its hooks', screen: 'its screen' } as const;

/** What Claude calls it; words that it does not have yet are shown as they are. */
const WAITS: Readonly<Record<string, string>> = { 'permission prompt': 'a permission prompt', 'input needed': 'an answer' };
