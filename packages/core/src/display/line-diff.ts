// A line diff of two texts. A change too big to compare line by line is shown as one replaced block.

export type DiffLine = {
	readonly sign: ' ' | '-' | '+';
	readonly text: string;
	/** The line number in the file, from 1, if known. */
	readonly number?: number;
};

/** A part of a diff; between two of them lines were left out. */
export type Hunk = readonly DiffLine[];

const CONTEXT = 3;
/** Beyond this many pairs of lines the comparison would take too long. */
const MAX_PAIRS = 250_000;

/** `numbered` where the texts are whole files, so that places in them are places in the file. */
export function diffTexts(before: string, after: string, numbered: boolean): Hunk[] {
	const lines = compare(toLines(before), toLines(after));
	const hunks = toHunks(numbered ? withNumbers(lines) : lines);
	return hunks.length === 0 && before !== after ? [endChange(before, after)] : hunks;
}

/** Only the newline at the end was added or removed. */
function endChange(before: string, after: string): Hunk {
	const last = (text: string) => `${toLines(text).at(-1) ?? ''}${text.endsWith('\n') ? '' : ' (no newline at the end)'}`;
	return [
		{ sign: '-', text: last(before) },
		{ sign: '+', text: last(after) },
	];
}

type Compared = { sign: DiffLine['sign']; text: string };

function toLines(text: string): string[] {
	if (text === '') return [];
	return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function compare(before: readonly string[], after: readonly string[]): Compared[] {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	return [
		...signed(' ', before.slice(0, head)),
		...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
		...signed(' ', before.slice(before.length - tail)),
	];
}

function compareMiddle(before: readonly string[], after: readonly string[]): Compared[] {
	if (before.length * after.length > MAX_PAIRS) return [...signed('-', before), ...signed('+', after)];
	const columns = after.length + 1;
	const common = commonLengths(before, after);
	const lines: Compared[] = [];
	let [i, j] = [0, 0];
	while (i < before.length && j < after.length) {
		if (before[i] === after[j]) {
			lines.push({ sign: ' ', text: before[i] ?? '' });
			i += 1;
			j += 1;
		} else if ((common[(i + 1) * columns + j] ?? 0) >= (common[i * columns + j + 1] ?? 0)) {
			lines.push({ sign: '-', text: before[i] ?? '' });
			i += 1;
		} else {
			lines.push({ sign: '+', text: after[j] ?? '' });
			j += 1;
		}
	}
	return [...lines, ...signed('-', before.slice(i)), ...signed('+', after.slice(j))];
}

/** For each pair of places: how many lines the rests from there have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
	const columns = after.length + 1;
	const table = new Uint32Array((before.length + 1) * columns);
	for (let i = before.length - 1; i >= 0; i -= 1) {
		for (let j = after.length - 1; j >= 0; j -= 1) {
			const at = i * columns + j;
			table[at] =
				before[i] === after[j] ? (table[at + columns + 1] ?? 0) + 1 : Math.max(table[at + columns] ?? 0, table[at + 1] ?? 0);
		}
	}
	return table;
}

function signed(sign: Compared['sign'], lines: readonly string[]): Compared[] {
	return lines.map((text) => ({ sign, text }));
}

/** A removed line has its old place, every other one its new place. */
function withNumbers(lines: readonly Compared[]): DiffLine[] {
	let [old, fresh] = [0, 0];
	return lines.map(({ sign, text }) => {
		if (sign !== '+') old += 1;
		if (sign !== '-') fresh += 1;
		return { sign, text, number: sign === '-' ? old : fresh };
	});
}

function toHunks(lines: readonly DiffLine[]): Hunk[] {
	const hunks: DiffLine[][] = [];
	let shownUpTo = 0;
	for (const [at, line] of lines.entries()) {
		if (line.sign === ' ') continue;
		const from = Math.max(shownUpTo, at - CONTEXT);
		const to = Math.min(lines.length, at + CONTEXT + 1);
		const part = lines.slice(from, Math.max(from, to));
		const current = hunks.at(-1);
		if (current && from === shownUpTo) current.push(...part);
		else hunks.push(part);
		shownUpTo = Math.max(shownUpTo, to);
	}
	return hunks;
}
