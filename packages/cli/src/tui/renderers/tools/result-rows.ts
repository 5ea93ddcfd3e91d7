// The result of a tool: output, file, prose, or JSON.
import { linesOf } from '@roost/core/display/lines';
import { editOf } from '@roost/core/display/tools/edits';
import { type Fields, isFields, listAt, numberAt, textAt } from '@roost/core/display/tools/fields';
import { responseText } from '@roost/core/display/tools/response-text';
import { markdownRows } from '../../parts/markdown.ts';
import { hanging, wrapped } from '../../parts/wrapped.ts';
import { type Row, row, span } from '../../screen/row.ts';
import type { Styles } from '../../screen/styles.ts';
import { fieldRows, jsonRows } from '../renderer.ts';
import type { Call } from './input-rows.ts';

export function* resultRows(call: Call, width: number, styles: Styles): Generator<Row> {
	const { tool, response } = call;
	if (response === undefined || response === null) return;
	if (isFields(response)) {
		if (editOf(tool, call.input) || tool === 'TodoWrite') return;
		if (textAt(response, 'stdout') !== undefined) return yield* outputRows(response, width);
		if (isFields(response.file)) return yield* fileRows(response.file, width);
		if (Array.isArray(response.filenames)) return yield* matchRows(response, width);
		if (isFields(response.answers)) return yield* fieldRows(response.answers, width);
	}
	const text = responseText(response);
	if (text === undefined) return yield* jsonRows(response, width);
	yield* isProse(tool) ? markdownRows(text, width, styles) : wrapped(text, width);
}

function isProse(tool: string): boolean {
	return tool === 'Agent' || tool === 'Task' || tool === 'WebFetch';
}

function* outputRows(response: Fields, width: number): Generator<Row> {
	const [stdout, stderr] = [textAt(response, 'stdout') ?? '', textAt(response, 'stderr') ?? ''];
	yield* wrapped(plainNewlines(stdout), width);
	if (stderr !== '') {
		yield row(span('stderr', 'warn'));
		yield* hanging([span('  ')], plainNewlines(stderr), width, 'warn');
	}
	if (response.interrupted === true) yield row(span('It was interrupted.', 'warn'));
	if (stdout === '' && stderr === '') yield row(span('no output', 'faint'));
}

function plainNewlines(text: string): string {
	return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

function* fileRows(file: object, width: number): Generator<Row> {
	const content = textAt(file, 'content');
	if (content === undefined) return yield* jsonRows(file, width);
	const first = numberAt(file, 'startLine') ?? 1;
	const digits = String(first + (numberAt(file, 'numLines') ?? 0)).length;
	let number = first;
	for (const line of linesOf(plainNewlines(content))) {
		yield* hanging([span(`${String(number).padStart(digits)} `, 'faint')], line, width);
		number += 1;
	}
}

function* matchRows(response: object, width: number): Generator<Row> {
	const content = textAt(response, 'content');
	if (content) return yield* wrapped(plainNewlines(content), width);
	const names = listAt(response, 'filenames') ?? [];
	if (names.length === 0) yield row(span('nothing found', 'faint'));
	for (const name of names) yield* wrapped(String(name), width);
}
