// Replaces secrets in any JSON value by a mark that keeps their kind and the head of their hash, so that equal secrets stay equal.
import { findSecrets } from './find-secrets.ts';
import type { Mark } from './mark.ts';
import { isSecretField, isSecretOption } from './named-secrets.ts';
import { replaceSpans, type Span } from './spans.ts';
import { spansOverBorders } from './split-secrets.ts';

type Redaction = { kind: string; hashPrefix: string };

export type Redactor = {
	/** Searches all nested strings, including keys. Returns the same object if nothing was found. */
	redact<T>(value: T): { value: T; redactions: Redaction[] };
};

/** `hash` gives hexadecimal text of at least eight characters. */
export function createRedactor(hash: (text: string) => string): Redactor {
	return {
		redact(value) {
			const redactions: Redaction[] = [];
			const mark: Mark = (kind, secret) => {
				const hashPrefix = hash(secret).slice(0, 8);
				redactions.push({ kind, hashPrefix });
				return `[redacted:${kind}:${hashPrefix}]`;
			};
			const leaves: Leaf[] = [];
			collect(value, undefined, leaves, 0);
			const texts = redactLeaves(leaves, mark);
			return { value: texts === null ? value : rebuild(value, texts.values()), redactions };
		},
	};
}

/** A string or a number in a value, and whether its name marks it as a secret. */
type Leaf = { text: string; isNamed: boolean; isKey: boolean };

const NO_LEAF: Leaf = { text: '', isNamed: false, isKey: false };
/** Most keys are plain words, so they share one leaf. */
const PLAIN_KEY: Leaf = { text: '', isNamed: false, isKey: true };

/** Far deeper than any real value; deeper parts are dropped. */
const MAX_DEPTH = 512;
const LEFT_OUT = '[nested too deeply]';

function collect(value: unknown, name: string | undefined, leaves: Leaf[], depth: number): void {
	if (typeof value === 'string')
		leaves.push({ text: value, isNamed: name !== undefined && isSecretField(name, value), isKey: false });
	else if (typeof value === 'number') collectNumber(value, name, leaves);
	else if (typeof value !== 'object' || value === null) return;
	else if (depth >= MAX_DEPTH) leaves.push({ text: LEFT_OUT, isNamed: false, isKey: false });
	else if (Array.isArray(value)) collectItems(value, name, leaves, depth);
	else collectFields(value, leaves, depth);
}

/** Digits under the name of a secret are a secret; every other number stays. */
function collectNumber(value: number, name: string | undefined, leaves: Leaf[]): void {
	const isNamed = name !== undefined && Number.isInteger(value) && isSecretField(name, String(value));
	leaves.push({ text: isNamed ? String(value) : '', isNamed, isKey: false });
}

function collectItems(items: readonly unknown[], name: string | undefined, leaves: Leaf[], depth: number): void {
	let previous: unknown;
	for (const item of items) {
		const option = typeof previous === 'string' && isSecretOption(previous) ? 'password' : name;
		collect(item, option, leaves, depth + 1);
		previous = item;
	}
}

function collectFields(value: object, leaves: Leaf[], depth: number): void {
	const fields = value as Readonly<Record<string, unknown>>;
	const keys = Object.keys(fields);
	const pairKey = keys.find((key) => PAIR_NAMES.has(key) && typeof fields[key] === 'string');
	for (const key of keys) {
		leaves.push(isPlainKey(key) ? PLAIN_KEY : { text: key, isNamed: false, isKey: true });
		const name = pairKey !== undefined && PAIR_VALUES.has(key) ? String(fields[pairKey]) : key;
		collect(fields[key], name, leaves, depth + 1);
	}
}

/** `{ "name": "DB_PASSWORD", "value": "…" }` */
const PAIR_NAMES: ReadonlySet<string> = new Set(['name', 'Name', 'key', 'Key', 'variable']);
const PAIR_VALUES: ReadonlySet<string> = new Set(['value', 'Value', 'val']);

function isPlainKey(key: string): boolean {
	return (key.length < 15 && /^\w*$/.test(key)) || (key.length < 40 && /^[a-z_]*$/.test(key));
}

/** The redacted text of each leaf; null if nothing was found. */
function redactLeaves(leaves: readonly Leaf[], mark: Mark): string[] | null {
	const found = spansOverBorders(leaves);
	let isLeftOut = false;
	for (let at = 0; at < leaves.length; at++) {
		const { text, isNamed } = leaves[at] ?? NO_LEAF;
		isLeftOut ||= text === LEFT_OUT;
		if ((text.length < SHORTEST && !isNamed) || text === '' || found.has(at)) continue;
		const spans = isNamed ? namedSpans(text) : spansOf(text);
		if (spans.length > 0) found.set(at, spans);
	}
	if (found.size === 0 && !isLeftOut) return null;
	return leaves.map(({ text }, at) => replaceSpans(text, found.get(at) ?? [], mark));
}

/** Every report of a session repeats its ids and paths, so short texts without a secret are searched once. */
function spansOf(text: string): Span[] {
	if (text.length > LONGEST_KNOWN) return findSecrets(text);
	if (KNOWN_CLEAN.has(text)) return [];
	const spans = findSecrets(text);
	if (spans.length > 0) return spans;
	if (KNOWN_CLEAN.size >= MOST_KNOWN) KNOWN_CLEAN.clear();
	KNOWN_CLEAN.add(text);
	return spans;
}

const KNOWN_CLEAN = new Set<string>();
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 256;

/** Shorter texts contain no secret. */
const SHORTEST = 7;

/** The whole text, unless a more specific secret is found in it. */
function namedSpans(text: string): Span[] {
	const known = findSecrets(text);
	return known.length > 0 ? known : [{ kind: 'named', start: 0, end: text.length }];
}

function rebuild<T>(value: T, texts: Iterator<string>, depth?: number): T;
function rebuild(value: unknown, texts: Iterator<string>, depth = 0): unknown {
	if (typeof value === 'string') return texts.next().value;
	if (typeof value === 'number') {
		const text: unknown = texts.next().value;
		return text === '' ? value : text;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= MAX_DEPTH) return texts.next().value;
	if (Array.isArray(value)) {
		const items = value.map((item) => rebuild(item, texts, depth + 1));
		return items.some((item, at) => item !== value[at]) ? items : value;
	}
	let isChanged = false;
	const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
		const text: unknown = texts.next().value;
		const shown = typeof text === 'string' && text !== '' ? text : key;
		const redacted = rebuild(inner, texts, depth + 1);
		isChanged ||= shown !== key || redacted !== inner;
		return [shown, redacted];
	});
	return isChanged ? Object.fromEntries(entries) : value;
}
