// Answers to asks: checked against their questions, and turned into decisions.
import { AppError } from '@roost/protocol/app-error';
import type { Ask, AskVerdict, Principal } from '@roost/protocol/ask';
import { z } from 'zod';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { GateMode } from '../runtime/gate-mode.ts';

/**
 * `given`: the answered questions, once per answer. None at all declines the whole ask; an empty answer declines one
 * question, so that a forgotten question is never treated as declined.
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

/** In the order of the ask; empty where they cannot be read. */
export function questionTexts({ input }: Pick<Ask, 'input'>): ReadonlySet<string> {
	const read = withQuestions.safeParse(input);
	return new Set(read.success ? read.data.questions.map(({ question }) => question) : []);
}

/** Without the questions that were declined. */
function answeredOnly(answers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== ''));
}

/** Bounds of an error message: the texts come from an agent. */
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

/** Null where the verdict does not fit the ask: a permission is allowed or denied, a question answered or denied. */
export function toDecision(ask: Ask, given: AskVerdict, { name, face, peer }: Principal): RuntimeDecision | null {
	if (given.type !== 'deny' && (given.type === 'answer') !== (ask.kind === 'question')) return null;
	// The face of a device is proven by its key, and no client can claim one with a colon.
	const claimed = face.includes(':') ? {} : { claimedFace: face };
	return {
		verdict: given.type === 'answer' ? { ...given, answers: answeredOnly(given.answers) } : given,
		source: 'user',
		askId: ask.id,
		principal: `${name}@${face}`,
		...claimed,
		...(peer !== undefined && { peer }),
		...(given.type === 'deny' && { reason: given.message }),
	};
}

/** The decision where no face is there to answer an ask. */
export function unaskable(gate: GateMode): RuntimeDecision {
	return silence(gate, { source: 'timeout', reason: 'approval is not available in this run' });
}
