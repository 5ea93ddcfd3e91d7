// The position of git's command among its words.
import { names } from './flags.ts';

/** The index of the command, behind git's own options that begin at `from`. */
export function gitCommandAt(args: readonly string[], from: number): number {
	let at = from;
	while (args[at]?.startsWith('-')) at += GIT_VALUED_GLOBALS.has(args[at] ?? '') ? 2 : 1;
	return at;
}

export const GIT_VALUED_GLOBALS = names(
	'-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix --shallow-file',
);
