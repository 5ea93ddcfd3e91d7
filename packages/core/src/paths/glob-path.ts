// Whether a path with globs or unknown parts can match a given path, in at most pattern times path steps.
import { UNKNOWN } from './path-use.ts';

type Token = { kind: 'char'; char: string } | { kind: 'one' } | { kind: 'name' } | { kind: 'any' };

export function isGlob(path: string): boolean {
	return GLOB.test(path);
}

const GLOB = /[*?[\0]|[@+!]\(/;

/** Bracket expressions match any character and groups any name: more than a shell takes, never less. */
export function matchesGlob(pattern: string, path: string, options: { dot?: boolean } = {}): boolean {
	let reached = new Set([0]);
	for (const token of tokensOf(pattern)) {
		reached = advance(reached, token, path, options.dot === true);
		if (reached.size === 0) return false;
	}
	return reached.has(path.length);
}

function advance(from: ReadonlySet<number>, token: Token, path: string, dot: boolean): Set<number> {
	const next = new Set<number>();
	for (const at of from) {
		if (token.kind === 'char') {
			if (path[at] === token.char) next.add(at + 1);
		} else if (token.kind === 'one') {
			if (at < path.length && path[at] !== '/') next.add(at + 1);
		} else addRun(next, at, path, token.kind === 'any', dot);
	}
	return next;
}

/** Without `dot`, a wildcard at the start of a name does not match a leading dot. */
function addRun(next: Set<number>, at: number, path: string, slashes: boolean, dot: boolean): void {
	next.add(at);
	if (!slashes && !dot && path[at] === '.' && (at === 0 || path[at - 1] === '/')) return;
	for (let end = at; end < path.length && (slashes || path[end] !== '/'); end++) next.add(end + 1);
}

function tokensOf(pattern: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < pattern.length; at++) {
		const char = pattern.charAt(at);
		if (char === UNKNOWN) tokens.push({ kind: 'any' });
		else if (char === '*' && pattern[at + 1] === '*') {
			tokens.push({ kind: 'any' });
			// `**/` also matches no folder at all.
			while (pattern[at + 1] === '*' || pattern[at + 1] === '/') at++;
		} else if (/[@+!*?]/.test(char) && pattern[at + 1] === '(' && pattern.indexOf(')', at) > 0) {
			tokens.push({ kind: 'name' });
			at = pattern.indexOf(')', at);
		} else if (char === '*') tokens.push({ kind: 'name' });
		else if (char === '?') tokens.push({ kind: 'one' });
		else if (char === '[' && pattern.indexOf(']', at + 2) > 0) {
			tokens.push({ kind: 'one' });
			at = pattern.indexOf(']', at + 2);
		} else tokens.push({ kind: 'char', char });
	}
	return tokens;
}
