// The script inside `/bin/bash -lc '…'`: Codex shows a command as the shell is called, and asks in the words of the script.

const SHELL = /^\S*?(?:bash|zsh|sh)$/;

/** The line itself where it is no call of a shell with a script. */
export function unwrapShell(line: string): string {
	const words = splitWords(line);
	const [shell, flag, script] = words ?? [];
	const isCall = words?.length === 3 && SHELL.test(shell ?? '') && (flag === '-lc' || flag === '-c');
	return isCall && script !== undefined ? script : line;
}

/** Only what quoting for a shell produces: words, quotes and backslashes. Null for anything else. */
function splitWords(line: string): string[] | null {
	const words: string[] = [];
	let rest = line.trim();
	while (rest !== '') {
		const match = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+/.exec(rest);
		if (!match) return null;
		words.push(match[0].replaceAll(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g, unquote));
		rest = rest.slice(match[0].length);
		const gap = /^\s+/.exec(rest);
		if (!gap && rest !== '') return null;
		rest = rest.slice(gap?.[0].length ?? 0);
	}
	return words;
}

function unquote(_whole: string, single?: string, double?: string, escaped?: string): string {
	return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
}
