// Whether a sed script only edits its text, and an awk program only prints: both can also write files and run commands.

/** False for everything that is not clearly understood. */
export function onlyEdits(script: string): boolean {
	let rest = script;
	while (rest !== '') {
		const next = afterCommand(rest.replace(/^[\s;]+/, ''));
		if (next === undefined) return false;
		rest = next;
	}
	return true;
}

/** The script after the first command; undefined where that command is not harmless. */
function afterCommand(text: string): string | undefined {
	if (text === '') return '';
	const rest = afterAddress(text).replace(/^\s*!*\s*/, '');
	const letter = rest[0] ?? '';
	if (letter === '{' || letter === '}') return rest.slice(1);
	if (PLAIN.test(letter)) return afterEnd(rest.slice(1).replace(/^\s*\d*/, ''));
	if (LINE.test(letter)) return rest.includes('\n') ? afterText(rest) : '';
	if (letter === 's' || letter === 'y') return afterSubstitution(rest);
	if (letter === '#') return rest.includes('\n') ? rest.slice(rest.indexOf('\n')) : '';
	if (/[:btT]/.test(letter)) return afterEnd(rest.slice(1).replace(/^\s*[\w-]*/, ''));
	return undefined;
}

const PLAIN = /[=dDgGhHnNpPqQxzl]/;
/** They take text to the end of the line, continued by a backslash. */
const LINE = /[aic]/;

function afterText(rest: string): string {
	const match = /^(?:\\[\s\S]|[^\\\n])*\n/.exec(rest);
	return match === null ? '' : rest.slice(match[0].length);
}

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|\+\d+|~\d+)/;

/** An unknown address is left in place, where it is not a valid command. */
function afterAddress(text: string): string {
	const rest = afterOne(text).replace(/^\s+/, '');
	return rest.startsWith(',') ? afterOne(rest.slice(1).replace(/^\s+/, '')) : rest;
}

function afterOne(text: string): string {
	if (!text.startsWith('/')) return text.replace(ADDRESS, '');
	const end = closing(text, 1, '/');
	return end === undefined ? text : text.slice(end + 1).replace(/^[IM]*/, '');
}

function afterSubstitution(rest: string): string | undefined {
	const mark = rest[1] ?? '\\';
	if (/[\w\s\\;]/.test(mark)) return undefined;
	const second = closing(rest, 2, mark);
	const third = second === undefined ? undefined : closing(rest, second + 1, mark);
	if (third === undefined) return undefined;
	return afterEnd(rest.slice(third + 1).replace(/^[gpiIm\d]*/, ''));
}

/** Also undefined if a bracket contains the delimiter: implementations disagree on whether it ends the pattern. */
function closing(text: string, from: number, mark: string): number | undefined {
	for (let at = from; at < text.length; at++) {
		if (text[at] === '\\') at++;
		else if (text[at] === mark) return at;
		else if (text[at] === '[') {
			const bracket = /^\[\^?\]?(?:\[[:.=]\w+[:.=]\]|[^\]])*\]/.exec(text.slice(at))?.[0] ?? '';
			if (bracket.includes(mark)) return undefined;
			at += Math.max(0, bracket.length - 1);
		}
	}
	return undefined;
}

function afterEnd(rest: string): string | undefined {
	return /^\s*(?:[;\n}]|$)/.test(rest) ? rest.replace(/^[ \t]*/, '') : undefined;
}

/** False for everything that is not clearly understood. `compares`: "greater than" is allowed, because at worst it creates a file with a number as its name. */
export function onlyPrints(program: string, compares: boolean): boolean {
	if (/[|@`]/.test(program.replaceAll('||', ''))) return false;
	if (/\b(?:system|getline|close|fflush|ARGV|ENVIRON|PROCINFO)\b/.test(program)) return false;
	return !program.replace(compares ? COMPARISON : AT_LEAST, '').includes('>');
}

const AT_LEAST = />=/g;
/** A comparison with a number that ends there: no other file can be named. */
const COMPARISON = />=|>\s*-?\d+(?:\.\d+)?(?=\s*(?:[){;&}]|$))/g;
