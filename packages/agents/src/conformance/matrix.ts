// The conformance matrix as found with the real programs. Imported as JSON, so that the bundle contains it.

import { readFileSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { z } from 'zod';
import recorded from './matrix.json' with { type: 'json' };

const cell = z.object({
	outcome: z.enum(['pass', 'unsupported', 'fail']),
	reason: z.string().min(1).optional(),
});
export type CellOutcome = z.infer<typeof cell>;

const matrix = z.object({
	columns: z.array(z.object({ id: z.string(), title: z.string() })).default([]),
	agents: z.record(
		z.string(),
		z.object({ title: z.string().default(''), version: z.string().min(1), cells: z.record(z.string(), cell) }),
	),
});

export type Matrix = z.infer<typeof matrix>;

export const MATRIX_PLACE = new URL('./matrix.json', import.meta.url);

/** Agents without a row are unproven; an invalid matrix is a bug. */
export function readMatrix(place?: URL): Matrix {
	if (!place) return matrix.parse(recorded);
	const text = readIfThere(place);
	return text === undefined ? { columns: [], agents: {} } : matrix.parse(JSON.parse(text));
}

function readIfThere(place: URL): string | undefined {
	try {
		return readFileSync(place, 'utf8');
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return undefined;
		throw cause;
	}
}

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

export function putTable(text: string, table: string): string {
	const [start, end] = [text.indexOf(OPENS), text.indexOf(CLOSES)];
	if (start < 0 || end < start) throw new Error('the two marks between which the table stands are missing');
	return `${text.slice(0, start + OPENS.length)}\n\n${table}\n\n${text.slice(end)}`;
}
