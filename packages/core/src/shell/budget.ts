// How much work a line may cost. It is counted, because judging is synchronous and no timer can end it.
import type { GuardWord } from './guard-word.ts';

export type Budget = {
	/** False where more was wanted than there is; from then on, always. */
	spend(steps: number): boolean;
	readonly spent: number;
	readonly isSpent: boolean;
};

/** A step is about a tenth of a microsecond: one thing looked at or copied. */
export const MAX_STEPS = 1_500_000;

export const TOO_LONG = 'it is too long to be understood';

export function createBudget(steps = MAX_STEPS): Budget {
	let spent = 0;
	return {
		spend: (more) => {
			spent += more;
			return spent <= steps;
		},
		get spent() {
			return spent;
		},
		get isSpent() {
			return spent > steps;
		},
	};
}

/** The cost of judging one part of a line: a judge may look at a word again from each of its characters, and at each pair of words in each folder. */
export function costOf({
	args,
	writes,
	dirs,
}: {
	args: readonly GuardWord[];
	writes: readonly GuardWord[];
	dirs: readonly unknown[];
}): number {
	const words = [...args, ...writes];
	const forms = words.reduce((sum, word) => sum + word.forms.length, 0);
	const beside = (forms ** 2 * Math.max(1, dirs.length)) / WORDS_PER_STEP;
	if (beside > MAX_STEPS) return beside;
	return words.reduce(
		(sum, word) => word.forms.reduce((all, { value }) => all + (value.length / CHARS_PER_STEP) ** 2, sum),
		beside,
	);
}

const CHARS_PER_STEP = 16;
const WORDS_PER_STEP = 4;
