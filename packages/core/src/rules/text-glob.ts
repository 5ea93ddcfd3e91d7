// The glob of argument patterns: one wildcard, matched in linear space and at most pattern times text steps.

export const ARGS_PATTERN_HELP = `An argument pattern is matched against the whole text.
  *    any characters, also none, spaces and slashes included
  \\*   a star, \\\\ a backslash; everything else stands for itself
  A trailing " *" also matches the bare command: "git status *" covers "git status".
For shell commands the pattern is matched against each simple command of the line, so * never reaches past ; && || | & or a
substitution. Every simple command must be covered by an allow, each by any rule; a deny or an ask needs one.
  Variables set before a command must be named: "CI=* npm test *".
  Files written to must be named: "echo * > build/*"; ">>" needs ">>" or ">". 2>&1 and >/dev/null are free.
  Commands that run others (sudo, env, xargs, sh -c, find -exec) must be named: "sudo apt-get *", "find * -exec grep *".
  So must options that run or write something: "sort -o *", "git diff --output=* *", "npm exec *". A command that has such
  options is not covered where a word of it is only decided by the shell ("$x", $(...), *).
For file paths, an allow sees the path with . and .. resolved.`;

/** Literal runs between the wildcards: n wildcards make n + 1 runs. */
export type TextGlob = readonly string[];

export function parseTextGlob(pattern: string): TextGlob {
	const runs = [''];
	for (let i = 0; i < pattern.length; i++) {
		const char = pattern.charAt(i);
		if (char === '*') runs.push('');
		else if (char === '\\' && i + 1 < pattern.length) runs[runs.length - 1] += pattern.charAt(++i);
		else runs[runs.length - 1] += char;
	}
	return runs;
}

export function escapeTextGlob(text: string): string {
	return text.replace(/[\\*]/g, '\\$&');
}

export function matchesText(glob: TextGlob, text: string): boolean {
	return matchesRuns(glob, text) || (endsBeforeStar(glob, text) && matchesRuns(glob, `${text} `));
}

/** `git status *` also covers `git status`. */
function endsBeforeStar(glob: TextGlob, text: string): boolean {
	const before = glob.at(-2) ?? '';
	return glob.length > 1 && glob.at(-1) === '' && before.endsWith(' ') && text.endsWith(before.slice(0, -1));
}

export function matchesRuns(glob: TextGlob, text: string): boolean {
	const first = glob[0] ?? '';
	const last = glob.at(-1) ?? '';
	if (glob.length === 1) return text === first;
	if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
	const end = text.length - last.length;
	let at = first.length;
	for (let index = 1; index < glob.length - 1; index++) {
		const run = glob[index] ?? '';
		const found = text.indexOf(run, at);
		if (found === -1 || found + run.length > end) return false;
		at = found + run.length;
	}
	return true;
}

/** Remembers the results of a pure function of one text: rules are few and judged on every tool call. */
export function memoise<T>(compute: (text: string) => T): (text: string) => T {
	const known = new Map<string, T>();
	return (text) => {
		const found = known.get(text);
		if (found !== undefined) return found;
		const value = compute(text);
		if (known.size >= MAX_REMEMBERED) known.clear();
		known.set(text, value);
		return value;
	};
}

const MAX_REMEMBERED = 1_000;
