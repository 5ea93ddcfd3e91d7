// What Roost says to an agent that waits, and who says it.
import type { Verdict } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { GateMode } from './gate-mode.ts';

export type RuntimeDecision = {
	verdict: Verdict;
	/** `terminal`: inferred from the agent's own report, nobody's decision; `system`: Roost itself (shutdown, a lost connection). */
	source: 'user' | 'timeout' | 'rule' | 'terminal' | 'system';
	/** For people; programs go by the rest. */
	reason?: string | undefined;
	/** Nobody had anything to decide: no rule spoke, and nobody is asked. */
	noRule?: true;
	ruleId?: string | undefined;
	/** Where several rules allowed the parts of a line, all of them. */
	ruleIds?: readonly string[];
	askId?: AskId | undefined;
	/** Who answered, as `name@face`; the face is the client's claim. */
	principal?: string | undefined;
	claimedFace?: string;
	/** The process that sent the answer, as far as the system tells. */
	peer?: string;
};

/** Nobody decided: no opinion, which is a denial where Roost is the gate. */
export function silence(gate: GateMode | undefined, why: Omit<RuntimeDecision, 'verdict'> & { reason: string }): RuntimeDecision {
	return { ...why, verdict: gate === 'enforce' ? { type: 'deny', message: why.reason } : { type: 'none' } };
}
