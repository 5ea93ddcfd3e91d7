// The picked answers of one question.
import type { Question } from '@roost/protocol/feed/decisions';

export type Picks = {
	/** Indexes of options, or one of the two places after them. */
	readonly chosen: ReadonlySet<number>;
	/** A custom answer. */
	readonly own: string;
};

const NO_PICKS: Picks = { chosen: new Set(), own: '' };

/** After the options: a custom answer, and no answer. */
export function ownPlace({ options }: Question): number {
	return options.length;
}

export function nonePlace({ options }: Question): number {
	return options.length + 1;
}

export function countPlaces({ options }: Question): number {
	return options.length + 2;
}

/** Toggles with multi-select; "no answer" excludes all others. */
export function pick(before: Picks['chosen'], place: number, question: Question): Picks['chosen'] {
	const none = nonePlace(question);
	if (!question.multi_select || place === none) return new Set([place]);
	const chosen = new Set(before);
	chosen.delete(none);
	if (!chosen.delete(place)) chosen.add(place);
	return chosen;
}

/** A custom answer counts while it has text. */
export function pickOwn({ chosen, own }: Picks, question: Question): Picks['chosen'] {
	const place = ownPlace(question);
	const others = question.multi_select ? [...chosen].filter((other) => other < place) : [];
	if (own.trim() !== '') return new Set([...others, place]);
	return new Set([...chosen].filter((other) => other !== place));
}

/** Undefined if nothing is picked. Several are joined, as agents expect. */
export function answerTo(question: Question, { chosen, own }: Picks): string | undefined {
	const labels = question.options.flatMap(({ label }, place) => (chosen.has(place) ? [label] : []));
	const words = chosen.has(ownPlace(question)) ? [own.trim()] : [];
	const lines = [...labels, ...words];
	return lines.length === 0 ? undefined : lines.join(', ');
}

/** By question text; empty for a declined question. No entries if all are declined. */
export function answersTo(questions: readonly Question[], picks: readonly Picks[]): Record<string, string> {
	const lines = questions.map((question, index) => [question.question, answerTo(question, picks[index] ?? NO_PICKS)] as const);
	if (lines.every(([, answer]) => answer === undefined)) return {};
	return Object.fromEntries(lines.map(([question, answer]) => [question, answer ?? '']));
}
