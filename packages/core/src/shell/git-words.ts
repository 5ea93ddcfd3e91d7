// Where git's command stands among its words.

/** The place of the command behind git's own options, which stand at `from` and after. */
export function gitCommandAt(args: readonly string[], from: number): number {
	let at = from;
	while (args[at]?.startsWith('-')) at += VALUED.has(args[at] ?? '') ? 2 : 1;
	return at;
}

const VALUED = new Set(
	'-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix --shallow-file'.split(' '),
);
