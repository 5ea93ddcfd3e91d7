// How the form of a rule looks: a line per choice, the rule in words, and what it would not cover.
import { parseMcpTool } from '@roost/core/rules/tool-glob';
import type { AskRow } from '@roost/protocol/ask';
import type { RuleScope } from '@roost/protocol/rule';
import type { Drawn, Room } from '../pane.ts';
import { drawField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { toolName } from '../renderers/tools/tool-name.ts';
import { EMPTY_ROW, type Row, row, type Span, span } from '../screen/row.ts';
import {
	type About,
	type AlwaysForm,
	type AlwaysLine,
	aboutsOf,
	coversCall,
	DECISIONS,
	linesOfForm,
	ruleOf,
	SCOPES,
} from './always-form.ts';

const NAMES: Record<AlwaysLine, string> = { decision: 'Always', about: 'What', pattern: 'Pattern', scope: 'Where' };
const ABOUTS: Record<About, string> = { pattern: 'calls like this', tool: 'this tool', server: 'this MCP server' };
const WHERES: Record<RuleScope, string> = { session: 'this session', project: 'this project', user: 'all my projects' };
const MARGIN = 12;
/** A pattern longer than this scrolls. */
const PATTERN_ROWS = 3;

export function drawAlways(form: AlwaysForm, ask: AskRow, problem: string, { width, look }: Room): Drawn {
	const rows: Row[] = [];
	let cursor: Drawn['cursor'];
	for (const line of linesOfForm(form)) {
		const mark = form.at === line ? `${look.glyphs.prompt} ` : '  ';
		const name = span(` ${mark}${NAMES[line]}`.padEnd(MARGIN), form.at === line ? 'accent' : undefined);
		if (line !== 'pattern') {
			rows.push(row(name, ...optionSpans(line, form, ask)));
			continue;
		}
		const drawn = drawField(form.pattern, Math.max(1, width - MARGIN - 1), 'code');
		const top = Math.max(0, drawn.cursor.line - PATTERN_ROWS + 1);
		if (form.at === line) cursor = { line: rows.length + drawn.cursor.line - top, column: drawn.cursor.column + MARGIN };
		const shown = drawn.rows.slice(top, top + PATTERN_ROWS);
		rows.push(...shown.map((part, index) => row(index === 0 ? name : span(' '.repeat(MARGIN)), ...part)));
	}
	return { rows: [...rows, EMPTY_ROW, ...sentenceRows(form, ask, problem, width)], cursor };
}

function optionSpans(line: Exclude<AlwaysLine, 'pattern'>, form: AlwaysForm, ask: AskRow): Span[] {
	switch (line) {
		case 'decision':
			return DECISIONS.flatMap((decision) => option(decision, decision === form.decision));
		case 'about':
			return aboutsOf(ask).flatMap((about) => option(ABOUTS[about], about === form.about));
		case 'scope':
			return SCOPES.flatMap((scope) => option(WHERES[scope], scope === form.scope));
	}
}

function option(words: string, chosen: boolean): Span[] {
	return [chosen ? span(`[${words}]`, 'strong') : span(` ${words} `, 'faint'), span(' ')];
}

function sentenceRows(form: AlwaysForm, ask: AskRow, problem: string, width: number): Row[] {
	const { argsPattern } = ruleOf(form, ask);
	const about = form.about === 'server' ? `every tool of ${parseMcpTool(ask.tool)?.server ?? 'its server'}` : toolName(ask.tool);
	const what = argsPattern === undefined ? about : `${about} ${argsPattern}`;
	const says = `The rule: ${form.decision} ${what} in ${WHERES[form.scope]}, and ${form.decision} this one.`;
	const rows = [...wrapped(says, width - 4)];
	const warning = problem || (coversCall(form, ask) ? '' : uncovered(form));
	return [...rows, ...wrapped(warning, width - 4, 'warn')].map((line) => row('   ', ...line));
}

function uncovered({ decision }: AlwaysForm): string {
	return decision === 'allow'
		? 'This rule does not cover all of this call: the next one like it will be asked again.'
		: 'This rule does not touch this call: the next one like it will be asked again.';
}
