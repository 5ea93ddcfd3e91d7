// Sessions and decisions in words: the same in every list, message and screen.

import type { AgentStatus } from '@roost/protocol/api/agent-status';
import { assertNever } from '@roost/protocol/assert-never';
import type { SessionRow } from '@roost/protocol/session-row';
import { age } from '../display/age.ts';
import { sanitiseLine } from '../display/sanitise.ts';
import type { Continued } from './continued.ts';

type ShownState = Pick<SessionRow, 'agent' | 'status' | 'lastRun' | 'ownDialog'>;

/** `isUp`: without a runner the recorded state may be outdated. */
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

/** Why an idle session is idle. */
export function lastRunWords({ status, lastRun }: Pick<ShownState, 'status' | 'lastRun'>): string {
	return status === 'idle' && lastRun ? ` (${LAST_RUN[lastRun]})` : '';
}

const LAST_RUN = { failed: 'the last run failed', aborted: 'the last run was interrupted' };

function agentName(agent: string): string {
	return `${agent.charAt(0).toUpperCase()}${agent.slice(1)}`;
}

/** Omits the agent's name from the name of its model. */
export function agentAndModel(agent: string, model: string): string {
	const own = agent !== '' && model.startsWith(`${agent}-`) ? model.slice(agent.length + 1) : model;
	return [agent, own].filter(Boolean).join(' ');
}

/** "waiting for a permission prompt (its status file, 3s ago)" */
export function statusWords(status: AgentStatus, now: number): string {
	if (status.source === 'none') return 'unknown';
	return `${activityWords(status)} (${SOURCES[status.source]}, ${age(status.asOf, now)} ago)`;
}

function activityWords({ status, waitingFor }: AgentStatus): string {
	if (status !== 'waiting') return status;
	const known = waitingFor !== undefined && Object.hasOwn(WAITS, waitingFor) ? WAITS[waitingFor] : undefined;
	return `waiting for ${known ?? sanitiseLine(waitingFor ?? 'the user')}`;
}

const SOURCES = { file: 'its status file', hooks: 'its hooks', screen: 'its screen' } as const;

/** Claude's values; unknown values are shown as they are. */
const WAITS: Readonly<Record<string, string>> = { 'permission prompt': 'a permission prompt', 'input needed': 'an answer' };

const SHORT_ID = 8;

export function continuedWords(from: Continued): string {
	return 'parentId' in from ? `${from.how} from ${from.parentId}` : `resumed from past session ${continuedId(from)}`;
}

export function continuedId(from: Continued): string {
	return 'parentId' in from ? from.parentId : from.nativeId.slice(0, SHORT_ID);
}

type Origin = {
	decided_by: 'user' | 'rule' | 'timeout' | 'terminal' | 'system';
	rule_id?: string;
	rule_ids?: readonly string[];
	principal?: string;
};

export function decidedBy({ decided_by, rule_id, rule_ids, principal }: Origin): string {
	switch (decided_by) {
		case 'user':
			return principal ? `by ${principal}` : 'by you';
		case 'rule':
			if (rule_ids) return `by rules ${rule_ids.join(', ')}`;
			return rule_id ? `by rule ${rule_id}` : 'by a rule';
		case 'timeout':
			return 'timed out';
		case 'terminal':
			return 'reported by the agent';
		case 'system':
			return 'by Roost';
		default:
			return assertNever(decided_by);
	}
}
