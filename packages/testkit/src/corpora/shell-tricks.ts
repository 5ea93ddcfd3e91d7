// Shell lines that write, remove, run or send something in ways a reader may miss. None of them is for an agent that only reads.
import { GIT_TRICKS } from './git-tricks.ts';
import { TRICKS_THAT_REACH } from './tricks-that-reach.ts';
import { TRICKS_THAT_REMOVE } from './tricks-that-remove.ts';
import { TRICKS_THAT_WRITE } from './tricks-that-write.ts';

export type ShellTrick = {
	line: string;
	/** What it would do. */
	does: string;
	/** Real bash shows it: in the world of `rigs/shell/trick-world.ts` the file `pwned` appears or `victim` goes. */
	shows: boolean;
};

export type TrickGroup = { does: string; shows?: boolean; lines: readonly string[] };

export const SHELL_TRICKS: readonly ShellTrick[] = [
	...TRICKS_THAT_REMOVE,
	...TRICKS_THAT_WRITE,
	...TRICKS_THAT_REACH,
	...GIT_TRICKS,
].flatMap(({ does, shows = false, lines }) => lines.map((line) => ({ line, does, shows })));
