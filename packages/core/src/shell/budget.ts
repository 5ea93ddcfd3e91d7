// How much work a line may cost. It is counted, because judging is synchronous: no timer ends it, and a guard that is late is no guard.

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
