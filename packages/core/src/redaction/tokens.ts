// Finds the tokens of known services where a word begins. Every character is walked a fixed number of times.
import { type Alphabet, createRunEnds, isIn, WORD } from './alphabets.ts';
import type { Add } from './mark.ts';
import { RULES_BY_PAIR, type TokenRule } from './token-table.ts';

type RunEnd = (at: number, set: Alphabet) => number;

/** No token is shorter than this, except one that was cut off at the end of the text. */
const LEAST = 15;
const LONGEST_PREFIX = 32;
const CUT_OFF = 64;

export function findTokens(text: string, add: Add): void {
	const runEnd = createRunEnds(text);
	let done = 0;
	for (let at = LEAST - 1; at < text.length; ) {
		// Backwards from the end of the shortest possible run: most text is skipped.
		let start = at;
		while (start > at - LEAST && isIn(WORD, text.charCodeAt(start))) start--;
		if (start > at - LEAST) at = start + LEAST;
		else {
			const end = runEnd(start + 1, WORD);
			done = searchFrom(text, Math.max(done, start + 1 - LONGEST_PREFIX), end, runEnd, add);
			at = Math.max(end, done) + LEAST;
		}
	}
	searchFrom(text, Math.max(done, text.length - CUT_OFF), text.length, runEnd, add);
}

/** Checks every start of a word before `end`; returns the end of the last token found, or `end`. */
function searchFrom(text: string, from: number, end: number, runEnd: RunEnd, add: Add): number {
	let last = end;
	for (let at = startOfWord(text, from); at < end; ) {
		if (!isIn(WORD, text.charCodeAt(at))) {
			at++;
			continue;
		}
		const start = afterEscape(text, at);
		const isBegun = PAIRS[text.charCodeAt(start) * 128 + text.charCodeAt(start + 1)] === 1;
		const found = isBegun ? tokenAt(text, start, runEnd) : undefined;
		if (found) {
			add(found.kind, start, found.end);
			last = Math.max(last, found.end);
		}
		at = found ? Math.max(found.end, at + 1) : runEnd(at, WORD);
	}
	return last;
}

/** A token does not start inside a word. */
function startOfWord(text: string, from: number): number {
	let at = from;
	if (at > 0) while (at < text.length && isIn(WORD, text.charCodeAt(at)) && isIn(WORD, text.charCodeAt(at - 1))) at++;
	return at;
}

/** Whether some prefix begins with these two characters. */
const PAIRS = Uint8Array.from(RULES_BY_PAIR, (rules) => (rules === undefined ? 0 : 1));

/** A word may follow an escaped line break or an encoded character. */
function afterEscape(text: string, at: number): number {
	const before = at === 0 ? 0 : text.charCodeAt(at - 1);
	if (before === 0x5c && /[nrt]/.test(text[at] ?? '')) return at + 1;
	return before === 0x25 && /^[0-9A-Fa-f]{2}/.test(text.slice(at, at + 2)) ? at + 2 : at;
}

function tokenAt(text: string, at: number, runEnd: RunEnd): { kind: string; end: number } | undefined {
	const rules = RULES_BY_PAIR[text.charCodeAt(at) * 128 + text.charCodeAt(at + 1)];
	if (rules === undefined) return undefined;
	for (const rule of rules) {
		if (!text.startsWith(rule.prefix, at)) continue;
		const start = at + rule.prefix.length;
		const end = withoutDots(text, start, runEnd(start, rule.body));
		if (fits(rule, text, start, end) || isCutOff(rule, text, start, end)) return { kind: rule.kind, end };
	}
	return undefined;
}

function withoutDots(text: string, start: number, end: number): number {
	let last = end;
	while (last > start && text.charCodeAt(last - 1) === 0x2e) last--;
	return last;
}

function fits(rule: TokenRule, text: string, start: number, end: number): boolean {
	const length = end - start;
	if (length < rule.least || length > rule.most) return false;
	if (rule.most !== Number.POSITIVE_INFINITY && isIn(WORD, text.charCodeAt(end))) return false;
	return rule.accept === undefined || rule.accept(text, start, end);
}

/** A truncated token ends with the text. */
function isCutOff({ prefix, most }: TokenRule, text: string, start: number, end: number): boolean {
	if (end !== text.length || end - start < 4 || end - start > most || prefix.length < 3) return false;
	// The first part of a JWT alone only contains the signing algorithm.
	if (prefix === 'eyJ' && !text.slice(start, start + 512).includes('.')) return false;
	// "git checkout patch-1" and ids begin like a token whose prefix is a plain syllable: its first part has to be complete.
	if (/^[a-z]+$/.test(prefix)) return /^[A-Za-z0-9]{14}\.\w/.test(text.slice(start, start + 16));
	return /\d/.test(text.slice(start, start + 64)) || (prefix.length > 3 && /[a-z][A-Z]/.test(text.slice(start, start + 64)));
}
