// The matrix as a table for readers: agents as columns, what was asked of them as rows, and below it why something is not there.
import type { CellOutcome, Matrix } from './matrix.ts';

export function renderMatrix({ columns, agents }: Matrix): string {
	const rows = Object.values(agents);
	const notes: string[] = [];
	const toNote = (reason: string) => {
		if (!notes.includes(reason)) notes.push(reason);
		return notes.indexOf(reason) + 1;
	};
	const lines = columns.map(({ id, title }) => {
		const marks = rows.map(({ cells }) => toMark(cells[id], toNote));
		return `| ${[title, ...marks].join(' | ')} |`;
	});
	const head = `| ${['', ...rows.map(({ title, version }) => `${title} ${version}`)].join(' | ')} |`;
	const rule = `|${'---|'.repeat(rows.length + 1)}`;
	const foot = notes.map((reason, at) => `${at + 1}. ${reason}`);
	return [head, rule, ...lines, '', ...foot].join('\n').trimEnd();
}

function toMark(outcome: CellOutcome | undefined, toNote: (reason: string) => number): string {
	if (outcome === undefined) return '?';
	if (outcome.outcome === 'pass') return 'yes';
	return `${outcome.outcome === 'fail' ? 'broken' : 'no'} [${toNote(outcome.reason ?? 'it does not say why')}]`;
}

const OPENS = '<!-- What follows is written by `npm run conformance`. -->';
const CLOSES = '<!-- Until here. -->';

/** The text with the table between its two marks. */
export function putTable(text: string, table: string): string {
	const [start, end] = [text.indexOf(OPENS), text.indexOf(CLOSES)];
	if (start < 0 || end < start) throw new Error('the two marks between which the table stands are missing');
	return `${text.slice(0, start + OPENS.length)}\n\n${table}\n\n${text.slice(end)}`;
}
