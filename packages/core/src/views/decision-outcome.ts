// The outcome of a permission decision: its name, and in words. Each face adds its own sign and colour.
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { firstLine } from '../display/first-line.ts';
import { decidedBy } from './words.ts';

export type Decision = FeedEventOf<'permission.decision'>['data'];

/** `left`: to the agent's own settings. `elsewhere`: in the agent's own dialog. */
export type OutcomeName = 'allowed' | 'denied' | 'asked' | 'expired' | 'left' | 'elsewhere';

type Outcome = { readonly outcome: OutcomeName; readonly words: string; readonly why?: string };

/** `by`: who decided; absent where the words say it. */
export type DecisionOutcome = Outcome & { readonly by?: string };

export function decisionOutcome(data: Decision): DecisionOutcome {
	const outcome = outcomeOf(data);
	const by = decidedBy(data);
	return outcome.words.includes(by) ? outcome : { ...outcome, by };
}

/** One sentence without repetitions: the outcome, who decided, and why. */
export function decisionSentence(data: Decision): string {
	const { words, by, why } = decisionOutcome(data);
	const head = by === undefined ? words : `${words} ${by}`;
	const sentence = why ? `${head}: ${why}` : head;
	const { reason } = data;
	if (!reason || includes(sentence, reason)) return sentence;
	return includes(reason, sentence) ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : `${sentence} (${reason})`;
}

function includes(text: string, part: string): boolean {
	return text.toLowerCase().includes(part.toLowerCase());
}

function outcomeOf(data: Decision): Outcome {
	if (data.decided_by === 'terminal' && data.decision_type !== 'deny')
		return { outcome: 'elsewhere', words: "Resolved in the agent's terminal" };
	switch (data.decision_type) {
		case 'allow':
			return { outcome: 'allowed', words: data.updated_input ? 'Allowed, with changes' : 'Allowed' };
		case 'deny':
			// The message of a rule is a whole sentence.
			return data.decided_by === 'rule' && data.rule_id !== undefined
				? { outcome: 'denied', words: firstLine(data.message) }
				: { outcome: 'denied', words: 'Denied', why: firstLine(data.message) };
		case 'ask':
			return { outcome: 'asked', words: 'To be asked' };
		case 'no_opinion':
			return data.decided_by === 'timeout'
				? { outcome: 'expired', words: 'Expired' }
				: { outcome: 'left', words: 'Left to the agent' };
		default:
			return assertNever(data);
	}
}

/** Who sent a decision, and which face it claims to be. */
export function senderWords({ claimed_face, peer = 'unknown' }: Decision): string {
	return `sent by: ${peer}, which claims to be "${claimed_face}"`;
}
