// Tells the options of a command from its operands, as most programs do.
import { fixedValue, fixedWord, type GuardWord, mayBeFlag } from './guard-word.ts';

export type Flag = { name: string; value: GuardWord | undefined };

export type Arguments = {
	flags: readonly Flag[];
	operands: readonly GuardWord[];
	/** A word that may turn out to be an option when the line runs. */
	unsure: GuardWord | undefined;
};

/** `takes`: options whose value is the next word. `stop`: at the first operand, after which everything is one. */
export function readArguments(words: readonly GuardWord[], takes: ReadonlySet<string>, stop = false): Arguments {
	const flags: Flag[] = [];
	const operands: GuardWord[] = [];
	let unsure: GuardWord | undefined;
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		if (word === undefined) break;
		const value = fixedValue(word);
		if (value === '--') return { flags, operands: [...operands, ...words.slice(at + 1)], unsure };
		if (value === undefined || !value.startsWith('-') || value === '-') {
			if (mayBeFlag(word)) unsure ??= word;
			if (stop) return { flags, operands: words.slice(at), unsure };
			operands.push(word);
		} else {
			const next = words[at + 1];
			const taken = value.startsWith('--') ? addLong(value, next, takes, flags) : addCluster(value, next, takes, flags);
			// Of several words, the option takes the first, and the others are unknown.
			if (taken === 1 && next?.many) unsure ??= next;
			// Perhaps it takes the next word, perhaps it is another option without a value.
			if (taken === 'perhaps' && stop) unsure ??= word;
			if (taken === 1) at++;
		}
	}
	return { flags, operands, unsure };
}

/** How many of the following words it took. */
type Taken = 0 | 1 | 'perhaps';

function addLong(value: string, next: GuardWord | undefined, takes: ReadonlySet<string>, flags: Flag[]): Taken {
	const equals = value.indexOf('=');
	if (equals > 0) {
		flags.push({ name: value.slice(0, equals), value: fixedWord(value.slice(equals + 1)) });
		return 0;
	}
	const taken = takes.has(value) ? 1 : [...takes].some((name) => isShortFor(value, name)) ? 'perhaps' : 0;
	flags.push({ name: value, value: taken === 0 ? undefined : next });
	return taken;
}

function addCluster(value: string, next: GuardWord | undefined, takes: ReadonlySet<string>, flags: Flag[]): Taken {
	for (let at = 1; at < value.length; at++) {
		const name = `-${value[at]}`;
		if (!takes.has(name)) flags.push({ name, value: undefined });
		else if (at + 1 < value.length) {
			flags.push({ name, value: fixedWord(value.slice(at + 1).replace(/^=/, '')) });
			return 0;
		} else {
			flags.push({ name, value: next });
			return 1;
		}
	}
	return 0;
}

/** Long options may be shortened as long as they are clear. */
function isShortFor(written: string, name: string): boolean {
	return written.length > 2 && written.startsWith('--') && name.startsWith(written);
}

export function findFlag({ flags }: Arguments, names: Iterable<string>): Flag | undefined {
	for (const name of names) {
		const flag = flags.find((each) => each.name === name || isShortFor(each.name, name));
		if (flag !== undefined) return flag;
	}
	return undefined;
}

export function valuesOf({ flags }: Arguments, names: ReadonlySet<string>): GuardWord[] {
	const given = flags.filter((each) => [...names].some((name) => each.name === name || isShortFor(each.name, name)));
	return given.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** A list of names separated by blanks; each list is split once. */
export function names(text = ''): ReadonlySet<string> {
	const known = LISTS.get(text);
	if (known !== undefined) return known;
	const set = new Set(text.split(/\s+/).filter(Boolean));
	LISTS.set(text, set);
	return set;
}

const LISTS = new Map<string, ReadonlySet<string>>();

/** A table by name; a key may hold several names. */
export function byName<Row>(rows: Record<string, Row>): ReadonlyMap<string, Row> {
	return new Map(Object.entries(rows).flatMap(([key, row]) => [...names(key)].map((name): [string, Row] => [name, row])));
}

/** Lists by name. */
export function namesBy(lists: Record<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
	return new Map([...byName(lists)].map(([name, list]) => [name, names(list)]));
}

/** A table by name in which the fields `lists` are written as lists of names. */
export function readTable<Row extends object, List extends keyof Row & string>(
	rows: Record<string, Row>,
	lists: readonly List[],
) {
	type Read = Omit<Row, List> & { [L in List]?: Exclude<Row[L], string> | ReadonlySet<string> };
	const isList = (field: string) => lists.some((list) => list === field);
	const read = ([field, value]: [string, unknown]) => [field, isList(field) && typeof value === 'string' ? names(value) : value];
	const toRead = (row: Row) => Object.fromEntries(Object.entries(row).map(read)) as Read;
	return new Map([...byName(rows)].map(([name, row]) => [name, toRead(row)]));
}
