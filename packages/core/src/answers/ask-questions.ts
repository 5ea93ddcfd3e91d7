// The questions of an ask, and the choices once they are answered.
import type { AskRow } from '@roost/protocol/ask';
import { type Question, question } from '@roost/protocol/feed/decisions';

type Asked = Pick<AskRow, 'input'>;

/** Empty where they cannot be read: then the ask can only be declined. */
export function questionsOf(ask: Asked): readonly Question[] {
	const known = remembered.get(ask);
	if (known) return known;
	const questions = readQuestions(ask.input.questions);
	remembered.set(ask, questions);
	return questions;
}

const remembered = new WeakMap<Asked, readonly Question[]>();

function readQuestions(given: unknown): readonly Question[] {
	const read = Array.isArray(given) ? given.map((one) => question.safeParse(one)) : [];
	const questions = read.flatMap(({ data }) => (data ? [data] : []));
	return questions.length === read.length ? questions : [];
}

/** The choices on the last page. */
export const SUMMARY_CHOICES = ['Send these answers', 'Go back and change them', 'Send no answer at all'] as const;
