// Bugs that can be planted in the simulation: a check that finds none of them proves nothing.
export const BUGS = [
	'no receipts',
	'trusted hints',
	'gap accepted',
	'cursor without lock',
	'ack before commit with pruning',
	'live before caught up',
	'epoch ignored',
	'sweep removed',
] as const;
export type Bug = (typeof BUGS)[number];

/** One choice of the scheduler: resolves when its turn comes. */
export type Step = (label: string) => Promise<void>;

/** What the simulation decides at random, from the seed of the run. */
export type World = {
	step: Step;
	bug: Bug | undefined;
	/** With this probability, while faults are on. */
	chance(probability: number): boolean;
	/** A rule was broken: ends the run as failed. */
	violate(sentence: string): void;
};
