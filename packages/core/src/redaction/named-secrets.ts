// Secrets that are known only by the name they are given: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`, `<password>…`.
import { alphabet, endOfRun, isIn, WORD } from './alphabets.ts';
import { type Add, isPlaceholder } from './mark.ts';
import { NAME_PART, type NameStrength, strengthOf } from './secret-names.ts';

/** How a value is given: `NAME=`, `name=` or `name: `, an option, an element, a field of its own. */
type Style = 'env' | 'tight' | 'loose' | 'option' | 'element' | 'field';
type Value = { start: number; end: number; quoted: boolean; style: Style };

const LONGEST_NAME = 80;
const LOOKED_AT = 256;
const BARE = alphabet(/[^\s"'`,;&\\<]/);
const QUOTED = alphabet(/[^"'`\n\\]/);
const ELEMENT = alphabet(/[^<\s]/);

export function findNamedSecrets(text: string, add: Add): void {
	const endOf = createEnds(text);
	let isNamed = false;
	NAME_PART.lastIndex = 0;
	for (let part = NAME_PART.exec(text); part !== null; part = NAME_PART.exec(text)) {
		const nameEnd = endOfRun(text, NAME_PART.lastIndex, WORD, LONGEST_NAME);
		NAME_PART.lastIndex = nameEnd;
		isNamed = true;
		const separator = separatorAt(text, nameEnd);
		if (separator === undefined) continue;
		const nameStart = startOfName(text, part.index);
		const name = text.slice(nameStart, nameEnd);
		const strength = strengthOf(name);
		if (strength === 'none') continue;
		const value = valueAt(text, { nameStart, nameEnd, name, separator }, endOf);
		if (value === undefined || !holdsSecret(text, value, strength, name)) continue;
		add('named', value.start, value.end);
		NAME_PART.lastIndex = value.end;
	}
	if (isNamed) findPairs(text, add);
}

/** `name: DB_PASSWORD`, followed by its `value: …`. */
function findPairs(text: string, add: Add): void {
	if (!text.includes('alue')) return;
	for (const match of text.matchAll(PAIR)) {
		const [name, value] = [match[1] ?? '', match.indices?.[2]];
		if (value && strengthOf(name) === 'strong' && !isPlaceholder(match[2] ?? '')) add('named', value[0], value[1]);
	}
}

const PAIR =
	/\b(?:name|key)\\{0,7}["']?\s{0,4}[:=]\s{0,4}\\{0,7}["']?([\w.-]{3,80})\\{0,7}["']?,?(?:\s|\\{1,7}[nrt]){1,24}\\{0,7}["']?value\\{0,7}["']?\s{0,4}[:=]\s{0,4}\\{0,7}["']?([^\s"'`\\,]{4,512})/dgi;

/** Whether the value of a field of this name is a secret, whatever it looks like. */
export function isSecretField(name: string, value: string): boolean {
	const strength = strengthOf(name);
	if (strength === 'none') return false;
	return isSecretValue(value, { strength, style: 'field', quoted: true, name, closes: true });
}

/** Whether the option is followed by a secret: `--password`. */
export function isSecretOption(word: string): boolean {
	return word.startsWith('--') && word.length <= LONGEST_NAME && strengthOf(word) === 'strong';
}

function startOfName(text: string, at: number): number {
	let start = at;
	while (start > 0 && at - start < LONGEST_NAME && isIn(WORD, text.charCodeAt(start - 1))) start--;
	// The letter of an escaped line break is not part of the name.
	return start < at && text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '') ? start + 1 : start;
}

const SEPARATOR = /\\{0,7}["']?[^\S\n]{0,4}(?::=|=>|==?|:)[^\S\n]{0,4}(?:(?:\n|\\{1,7}n)[^\S\n]{1,8}(?=\S))?|>|\s{1,4}/y;

function separatorAt(text: string, at: number): string | undefined {
	SEPARATOR.lastIndex = at;
	return SEPARATOR.exec(text)?.[0];
}

type Named = { nameStart: number; nameEnd: number; name: string; separator: string };

function valueAt(text: string, named: Named, endOf: Ends): Value | undefined {
	const style = styleOf(text, named);
	if (style === undefined) return undefined;
	const from = named.nameEnd + named.separator.length;
	if (style === 'element') return { start: from, end: endOf(from, ELEMENT), quoted: false, style };
	const quote = /^\\{0,7}["'`]/.exec(text.slice(from, from + 8))?.[0] ?? '';
	const start = from + quote.length;
	return { start, end: endOf(start, quote === '' ? BARE : QUOTED), quoted: quote !== '', style };
}

function styleOf(text: string, { nameStart, nameEnd, name, separator }: Named): Style | undefined {
	if (separator === '>') return text[nameStart - 1] === '<' ? 'element' : undefined;
	if (/^\s+$/.test(separator)) {
		const next = text[nameEnd + separator.length];
		if (name.startsWith('--') || (name.startsWith('-') && name.length > 4)) return 'option';
		return next === "'" && /^pass/i.test(name) ? 'option' : undefined;
	}
	if (separator === '==') return undefined;
	if (separator !== '=') return 'loose';
	return /^[A-Z][A-Z0-9_]*$/.test(name) ? 'env' : 'tight';
}

type Ends = (at: number, set: Uint8Array) => number;

/** Each character is walked once, however many names there are. */
function createEnds(text: string): Ends {
	const known = new Map<Uint8Array, { start: number; end: number }>();
	return (at, set) => {
		const last = known.get(set);
		if (last && at >= last.start && at < last.end) return last.end;
		let end = at;
		while (end < text.length && (text.charCodeAt(end) > 127 || isIn(set, text.charCodeAt(end)))) end++;
		known.set(set, { start: at, end });
		return end;
	};
}

function holdsSecret(text: string, { start, end, quoted, style }: Value, strength: NameStrength, name: string): boolean {
	const value = text.slice(start, Math.min(end, start + LOOKED_AT));
	const closes = end >= text.length || /[\n\r]/.test(text[end] ?? '') || (text[end] === '\\' && /[nr]/.test(text[end + 1] ?? ''));
	return isSecretValue(value, { strength, style, quoted, name, closes });
}

type How = { strength: NameStrength; style: Style; quoted: boolean; name: string; closes: boolean };

/** Whether it looks like the secret itself, not like code, a type, a word of a sentence or a placeholder. */
function isSecretValue(value: string, how: How): boolean {
	if (isPlaceholder(value) || value.length < leastLength(how)) return false;
	if (/\s/.test(value) && !(how.style === 'env' && how.quoted)) return false;
	if (how.strength === 'weak' && !/^[A-Z0-9_]+$/.test(how.name)) return isRandom(value) && !CODE.test(value);
	if (how.style === 'field' || how.style === 'element') return true;
	if (!how.quoted && how.style !== 'env' && CODE.test(value)) return false;
	if (how.style === 'env' && (PATH.test(value) || CALL.test(value))) return false;
	if (/^\d+$/.test(value)) return how.style === 'env' || how.style === 'option' || value.length >= 6;
	if (how.style === 'env') return true;
	return /^[A-Za-z_.-]+$/.test(value) ? isPlainSecret(value, how) : how.quoted || /\d/.test(value);
}

function leastLength({ style, quoted, strength }: How): number {
	if (style === 'env') return strength === 'strong' ? 4 : 6;
	if (style === 'option') return 4;
	return style === 'field' || quoted ? 6 : 8;
}

/** Letters only: a word that is unlikely in prose or code. */
function isPlainSecret(value: string, { style, quoted, closes }: How): boolean {
	if (value.length < 8 || A_NAME.test(value) || ENGLISH.test(value)) return false;
	if (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value)) return quoted || style !== 'loose';
	if (!/^[a-z]+$/.test(value) && !/^[A-Z]{8,}$/.test(value)) return false;
	return style === 'loose' ? quoted || closes : true;
}

function isRandom(value: string): boolean {
	return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value);
}

/** Calls, members, paths, types and arithmetic are code. */
const CODE =
	/[()[\]{}<>|?]|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^\.{0,2}\/|^(?:u?int|float|base|sha|md|v)\d+$|^[A-Za-z_]+-\d{1,3}$|^@|^--?[a-z]/;
const CALL = /^[A-Za-z_$][\w$.]*[([]/;
const PATH = /^(?:~|\.{1,2})?\/(?:[\w.@-]{1,40}\/)*[\w.@-]{0,40}$|^[A-Z]:\\/;
/** The name of a secret is not a secret. */
const A_NAME =
	/pass|secret|token|key|cred|auth|jwt|cookie|user|value|string|config|setting|default|option|missing|invalid|expired/i;
const ENGLISH =
	/^(?:argument|parameter|instead|provided|received|specified|rejected|accepted|returned|anywhere|everywhere|somebody|whatever|whenever|wherever|otherwise|generated|rotated|revoked|refused|encrypted|hidden|redacted|disabled|enabled|available|together|without|between|because|sessions?|requests?|response|environment|variable|function|undefined)$/i;
