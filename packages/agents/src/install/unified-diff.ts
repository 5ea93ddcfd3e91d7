// A unified diff of two small texts, for people to read before a file of theirs is changed.

const CONTEXT = 3;
/** Beyond this many pairs of lines the middle is shown as replaced: a diff nobody waits for. */
const MAX_PAIRS = 4_000_000;

type Line = { sign: ' ' | '-' | '+'; text: string };

/** Empty where nothing changes; null stands for a file that is not there. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
	if (before === after) return '';
	const lines = compare(toLines(before), toLines(after));
	const from = before === null ? '/dev/null' : `a/${path}`;
	const to = after === null ? '/dev/null' : `b/${path}`;
	return [`--- ${from}`, `+++ ${to}`, ...toHunks(lines)].map((line) => `${line}\n`).join('');
}

function toLines(text: string | null): string[] {
	if (text === null || text === '') return [];
	const lines = text.split('\n');
	const last = lines.pop();
	return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function compare(before: string[], after: string[]): Line[] {
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head++;
	let tail = 0;
	const room = Math.min(before.length, after.length) - head;
	while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
	return [
		...signed(' ', before.slice(0, head)),
		...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
		...signed(' ', before.slice(before.length - tail)),
	];
}

function compareMiddle(before: string[], after: string[]): Line[] {
	if (before.length * after.length > MAX_PAIRS) return [...signed('-', before), ...signed('+', after)];
	const common = commonLengths(before, after);
	const lines: Line[] = [];
	let [i, j] = [0, 0];
	while (i < before.length || j < after.length) {
		const [old, fresh] = [before[i], after[j]];
		if (old !== undefined && old === fresh) {
			lines.push({ sign: ' ', text: old });
			i++;
			j++;
		} else if (old !== undefined && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
			lines.push({ sign: '-', text: old });
			i++;
		} else {
			lines.push({ sign: '+', text: fresh ?? '' });
			j++;
		}
	}
	return lines;
}

/** At [i][j]: how many lines the rests from there have in common, in order. */
function commonLengths(before: string[], after: string[]): number[][] {
	const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
	for (let i = before.length - 1; i >= 0; i--) {
		const [row, below] = [table[i] ?? [], table[i + 1] ?? []];
		for (let j = after.length - 1; j >= 0; j--)
			row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
	}
	return table;
}

function signed(sign: Line['sign'], lines: string[]): Line[] {
	return lines.map((text) => ({ sign, text }));
}

function toHunks(lines: Line[]): string[] {
	const shown = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '));
	const output: string[] = [];
	let [oldLine, newLine] = [1, 1];
	for (let at = 0; at < lines.length; ) {
		const end = shown[at] ? endOf(shown, at) : at + 1;
		const part = lines.slice(at, end);
		const old = part.filter(({ sign }) => sign !== '+').length;
		const fresh = part.filter(({ sign }) => sign !== '-').length;
		if (shown[at]) {
			output.push(`@@ -${range(oldLine, old)} +${range(newLine, fresh)} @@`);
			output.push(...part.map(({ sign, text }) => `${sign}${text}`));
		}
		oldLine += old;
		newLine += fresh;
		at = end;
	}
	return output;
}

function endOf(shown: boolean[], start: number): number {
	const end = shown.indexOf(false, start);
	return end < 0 ? shown.length : end;
}

/** Nothing on one side is counted from the line before. */
function range(line: number, count: number): string {
	return count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`;
}
