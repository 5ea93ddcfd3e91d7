// A unified diff of two small texts, for people to read before a file of theirs is changed.
import { diffTexts, type Hunk } from '@roost/core/display/line-diff';

/** Stands for a missing line break at the end, so that adding one is a change of that line. */
const NO_NEWLINE = '\0';

/** Empty where nothing changes; null is a file that does not exist. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
	if (before === after) return '';
	let growth = 0;
	const hunks = diffTexts(markEnd(before ?? ''), markEnd(after ?? ''), true).flatMap((hunk) => {
		const [header, grown] = toHeader(hunk, growth);
		growth += grown;
		return [header, ...hunk.map(({ sign, text }) => `${sign}${text.replace(NO_NEWLINE, '\n\\ No newline at end of file')}`)];
	});
	const from = before === null ? '/dev/null' : `a/${path}`;
	const to = after === null ? '/dev/null' : `b/${path}`;
	return [`--- ${from}`, `+++ ${to}`, ...hunks].map((line) => `${line}\n`).join('');
}

function markEnd(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}${NO_NEWLINE}\n`;
}

/** `growth`: how many lines earlier hunks added. */
function toHeader(hunk: Hunk, growth: number): [header: string, grown: number] {
	const old = hunk.filter(({ sign }) => sign !== '+').length;
	const fresh = hunk.filter(({ sign }) => sign !== '-').length;
	const [first] = hunk;
	const oldStart = (first?.number ?? 0) - (first?.sign === '-' ? 0 : growth);
	return [`@@ -${range(oldStart, old)} +${range(oldStart + growth, fresh)} @@`, fresh - old];
}

/** An empty side is counted from the line before. */
function range(line: number, count: number): string {
	return count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`;
}
