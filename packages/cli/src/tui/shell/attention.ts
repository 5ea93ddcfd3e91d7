// What the user has seen of the asks that wait.
import type { AskId } from '@roost/protocol/ids';

export type Attention = {
	/** On the screen, and whether it had the keys. */
	readonly shown: AskId | undefined;
	readonly focused: boolean;
	/** Put aside: they come back when the user wants them. */
	readonly hidden: ReadonlySet<AskId>;
	/** Told of while somebody was writing. */
	readonly announced: ReadonlySet<AskId>;
	/** When somebody else decided what was on the screen: keys that were meant for it may still be on their way. */
	readonly takenAt: number | null;
};

export const NO_ATTENTION: Attention = {
	shown: undefined,
	focused: false,
	hidden: new Set(),
	announced: new Set(),
	takenAt: null,
};
