// What one part of a line may cost whoever judges it.
import { MAX_STEPS } from '../shell/budget.ts';
import type { Part } from './walk-line.ts';

/** Whoever judges it may look at a word again from each of its characters, and at a word beside each other, in each folder. */
export function costOf({ args, writes, dirs }: Pick<Part, 'args' | 'writes' | 'dirs'>): number {
	const words = [...args, ...writes];
	const forms = words.reduce((sum, word) => sum + word.forms.length, 0);
	const beside = (forms ** 2 * Math.max(1, dirs.length)) / WORDS_PER_STEP;
	// What is too much already need not be counted to the end.
	if (beside > MAX_STEPS) return beside;
	return words.reduce(
		(sum, word) => word.forms.reduce((all, { value }) => all + (value.length / CHARS_PER_STEP) ** 2, sum),
		beside,
	);
}

const CHARS_PER_STEP = 16;
const WORDS_PER_STEP = 4;
