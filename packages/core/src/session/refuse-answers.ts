// Checks answers against the questions of an ask: each question is answered once, and nothing else is.
import { AppError } from '@roost/protocol/app-error';
import type { Ask } from '@roost/protocol/ask';
import { z } from 'zod';

/**
 * `given`: the questions that are answered, as often as they are. None at all declines the whole ask.
 * An empty answer declines one question, so that a forgotten question is never taken for a declined one.
 */
export function refuseAnswers(ask: Pick<Ask, 'id' | 'input'>, given: readonly string[]): AppError | null {
	const asked = questionTexts(ask);
	const answered = new Set(given);
	if (answered.size === 0) return null;
	const problems = [
		...quoteAll('unknown question', new Set(given.filter((text) => !asked.has(text)))),
		...quoteAll('no answer for', new Set([...asked].filter((text) => !answered.has(text)))),
		...quoteAll('more than one answer for', new Set(given.filter((text, index) => given.indexOf(text) !== index))),
	];
	if (problems.length === 0) return null;
	const listed = [...asked].map(quote).join(', ');
	return new AppError('bad_request', `Cannot answer ${ask.id}: ${problems.join('; ')}. Answer each question once: ${listed}.`);
}

const withQuestions = z.object({ questions: z.array(z.object({ question: z.string() })) });

/** In the order they are asked; none where they cannot be read. */
export function questionTexts({ input }: Pick<Ask, 'input'>): ReadonlySet<string> {
	const read = withQuestions.safeParse(input);
	return new Set(read.success ? read.data.questions.map(({ question }) => question) : []);
}

/** Answers to a question that was declined are left out: the agent gets only what was said. */
export function answeredOnly(answers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== ''));
}

/** A few of them name the mistake; somebody else's text may be long. */
const MAX_NAMED = 3;
const MAX_CHARACTERS = 120;

function quoteAll(problem: string, texts: ReadonlySet<string>): string[] {
	const named = [...texts].slice(0, MAX_NAMED).map((text) => quote(shorten(text)));
	return named.length === 0 ? [] : [`${problem} ${named.join(', ')}${texts.size > MAX_NAMED ? ' …' : ''}`];
}

function shorten(text: string): string {
	return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function quote(text: string): string {
	return `"${text}"`;
}
