// A decision for a waiting agent, and who made it.
import type { Verdict } from '@roost/protocol/ask';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { AskId } from '@roost/protocol/ids';
import type { GateMode } from './gate-mode.ts';

export type RuntimeDecision = {
	verdict: Verdict;
	/** `terminal`: inferred from the agent's own report, not decided; `system`: Roost itself (shutdown, a lost connection). */
	source: 'user' | 'timeout' | 'rule' | 'terminal' | 'system';
	/** For people; programs use the other fields. */
	reason?: string | undefined;
	/** There was nothing to decide: no rule matched, and no ask was opened. */
	noRule?: true;
	ruleId?: string | undefined;
	/** Where several rules allowed the parts of a line, all of them. */
	ruleIds?: readonly string[];
	askId?: AskId | undefined;
	/** Who answered, as `name@face`; the face is the client's claim. */
	principal?: string | undefined;
	claimedFace?: string;
	/** The process that sent the answer, if the system can identify it. */
	peer?: string;
	/** The signature of the device that answered through a hub. */
	signed?: CommandProof | undefined;
};

/** The decision without an answer: no opinion, or a denial in enforce mode. */
export function silence(gate: GateMode | undefined, why: Omit<RuntimeDecision, 'verdict'> & { reason: string }): RuntimeDecision {
	return { ...why, verdict: gate === 'enforce' ? { type: 'deny', message: why.reason } : { type: 'none' } };
}
