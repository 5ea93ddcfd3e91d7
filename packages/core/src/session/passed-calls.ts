// Where Roost is the gate, every call that ran has a decision on record: what the agent's own mode let pass gets it when it has run.
import { isHarmlessTool } from '../controller/harmless-tools.ts';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { SessionState } from './state.ts';

export type PassedCall = { requestId: string; decision: RuntimeDecision };

const RAN: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

/**
 * The call that this report, which is not yet on record, says to have run undecided.
 * `driven`: its mode is one that the user chose in Roost; else the agent went on without Roost, and nobody decided.
 */
export function findPassedCall(state: SessionState, report: RuntimeEvent, { driven }: { driven: boolean }): PassedCall | null {
	const call = RAN.has(report.hookName) ? state.feed.calls.open.get(report.toolUseId ?? '') : undefined;
	if (!call || isHarmlessTool(call.tool, call.input) || isDecided(state, call.toolUseId)) return null;
	const requests = call.requestIds.filter((id) => state.feed.requests.has(id));
	const [requestId] = requests;
	const isAsked = requests.some((id) => state.feed.requests.get(id)?.askId !== undefined);
	return requestId === undefined || isAsked ? null : { requestId, decision: driven ? byMode(report) : UNDECIDED };
}

function isDecided({ decided }: SessionState, toolUseId: string | undefined): boolean {
	return decided.values().some(({ cause }) => cause?.tool_use_id === toolUseId);
}

function byMode({ context: { permissionMode = 'default' } }: RuntimeEvent): RuntimeDecision {
	const reason = `permission mode ${permissionMode} allows this without asking`;
	return { verdict: { type: 'allow' }, source: 'system', reason };
}

const UNDECIDED: RuntimeDecision = {
	verdict: { type: 'none' },
	source: 'system',
	reason: 'the agent ran this without a decision',
};
