// The kinds of values in config.yaml, each with the words for what is allowed.
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';

const MOST_MS = 2 ** 31 - 1;

/** A map of known keys; absent or left empty it is an empty one, so that the defaults inside it hold. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	const keys = Object.keys(shape).join(', ');
	const map = z.strictObject(shape, {
		error: ({ code }) => (code === 'unrecognized_keys' ? keys : `a map with the keys ${keys}`),
	});
	return z.preprocess((found) => found ?? {}, map);
}

export function text() {
	const allowed = 'a text that is not empty';
	return z.string(allowed).min(1, allowed);
}

export function anyText() {
	return z.string('a text (put numbers and yes or no in quotes)');
}

export function whole(least: number, most: number) {
	const allowed = `a whole number from ${least} to ${most}`;
	return z.int(allowed).min(least, allowed).max(most, allowed);
}

export function milliseconds() {
	return whole(1, MOST_MS);
}

export function factor() {
	const allowed = 'a number from 1 to 100';
	return z.number(allowed).min(1, allowed).max(100, allowed);
}

export function yesNo() {
	return z.boolean('true or false');
}

export function token() {
	const allowed = 'a text of 32 to 512 visible ASCII characters without spaces';
	return z.string(allowed).regex(/^[\x21-\x7e]{32,512}$/, allowed);
}

export function hubUrl() {
	return z.url({ protocol: /^(wss?|https?)$/, error: 'an address such as wss://hub.example.com' });
}

export function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]) {
	return z.enum(words, words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or '));
}

export function agentId() {
	const allowed = 'the id of an agent: small letters, digits and dashes';
	return z.string(allowed).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, allowed);
}

export function variable() {
	const allowed = 'the name of a variable: letters, digits and underscores';
	return z.string(allowed).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, allowed);
}

/** A program with its arguments; a lone text is the program, and is never split into words. */
export function argv() {
	const allowed = 'a program, or a list of a program and its arguments';
	const one = z.string(allowed).min(1, allowed);
	return z.union([one.transform((program) => [program]), z.array(one).min(1, allowed)], allowed);
}

export function list<Item extends z.ZodType>(item: Item, what: string) {
	return z.array(item, `a list of ${what}`);
}

export function named<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value, what: string) {
	return z.record(key, value, { error: `a map of ${what}` });
}

export function pathFrom(homeDir: string) {
	const allowed = 'an absolute path, or one that begins with ~/';
	return z
		.string(allowed)
		.refine((path) => isAbsolute(path) || path.startsWith('~/'), allowed)
		.transform((path) => (path.startsWith('~/') ? join(homeDir, path.slice(2)) : path));
}
