// The questions of an ask, and what can be done once they are answered.
import { parseQuestions } from '@roost/core/runtime/normal-form/questions';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';

/** None where they cannot be read: then there is nothing to do but to say nothing. */
export function questionsOf(ask: AskRow): readonly Question[] {
	const known = remembered.get(ask);
	if (known) return known;
	const questions = parseQuestions(ask.input) ?? [];
	remembered.set(ask, questions);
	return questions;
}

const remembered = new WeakMap<AskRow, readonly Question[]>();

/** What can be done on the last page. */
export const SUMMARY_CHOICES = ['Send these answers', 'Go back and change them', 'Send no answer at all'] as const;
