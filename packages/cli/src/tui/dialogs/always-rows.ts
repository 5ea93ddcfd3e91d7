// Draws the form for "always": the choices, the rule in words, and a warning if it does not cover the call.
import { aboutsOf, DECISIONS, rulesOf, SCOPES } from '@roost/core/rules/always';
import { ABOUT_WORDS, alwaysSentence, SCOPE_WORDS, UNCOVERED } from '@roost/core/rules/always-words';
import type { AskRow } from '@roost/protocol/ask';
import type { Drawn, Room } from '../pane.ts';
import { optionSpans } from '../parts/form.ts';
import { drawField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { EMPTY_ROW, type Row, row, type Span, span } from '../screen/row.ts';
import { type AlwaysForm, type AlwaysLine, formCovers, linesOfForm, patternAt, toAlways } from './always-form.ts';

type ChoiceLine = Extract<AlwaysLine, 'decision' | 'about' | 'scope'>;

const NAMES: Record<ChoiceLine | 'pattern', string> = { decision: 'Always', about: 'What', pattern: 'Pattern', scope: 'Where' };
const MARGIN = 12;
/** A pattern longer than this scrolls. */
const PATTERN_ROWS = 3;
/** The lines of a form with one pattern; with more patterns, each gets one row. */
const ONE_PATTERN = 4;

export function drawAlways(form: AlwaysForm, ask: AskRow, problem: string, { width, styles }: Room): Drawn {
	const rows: Row[] = [];
	let cursor: Drawn['cursor'];
	const lines = linesOfForm(form);
	const most = lines.length > ONE_PATTERN ? 1 : PATTERN_ROWS;
	for (const line of lines) {
		const mark = form.at === line ? `${styles.glyphs.prompt} ` : '  ';
		const label = (text: string) => span(` ${mark}${text}`.padEnd(MARGIN), form.at === line ? 'accent' : undefined);
		const field = patternAt(form, line);
		if (field === undefined) {
			if (isChoice(line)) rows.push(row(label(NAMES[line]), ...choiceSpans(line, form, ask)));
			continue;
		}
		const name = label(NAMES.pattern);
		const drawn = drawField(field, Math.max(1, width - MARGIN - 1), 'code');
		const top = Math.max(0, drawn.cursor.line - most + 1);
		if (form.at === line) cursor = { line: rows.length + drawn.cursor.line - top, column: drawn.cursor.column + MARGIN };
		const shown = drawn.rows.slice(top, top + most);
		rows.push(...shown.map((part, index) => row(index === 0 ? name : span(' '.repeat(MARGIN)), ...part)));
	}
	const gap = lines.length > ONE_PATTERN ? [] : [EMPTY_ROW];
	return { rows: [...rows, ...gap, ...sentenceRows(form, ask, problem, width)], cursor };
}

function isChoice(line: AlwaysLine): line is ChoiceLine {
	return line in NAMES;
}

function choiceSpans(line: ChoiceLine, form: AlwaysForm, ask: AskRow): Span[] {
	switch (line) {
		case 'decision':
			return DECISIONS.flatMap((decision) => optionSpans(decision, decision === form.decision));
		case 'about':
			return aboutsOf(ask).flatMap((about) => optionSpans(ABOUT_WORDS[about], about === form.about));
		case 'scope':
			return SCOPES.flatMap((scope) => optionSpans(SCOPE_WORDS[scope], scope === form.scope));
	}
}

function sentenceRows(form: AlwaysForm, ask: AskRow, problem: string, width: number): Row[] {
	const always = toAlways(form);
	const warning = problem || (formCovers(form, ask) ? '' : UNCOVERED[form.decision]);
	// Several patterns are listed above, so the warning is enough.
	const sentence = rulesOf(always, ask).length > 1 && warning !== '' ? '' : alwaysSentence(always, ask);
	return [...wrapped(sentence, width - 4), ...wrapped(warning, width - 4, 'warn')].map((line) => row('   ', ...line));
}
