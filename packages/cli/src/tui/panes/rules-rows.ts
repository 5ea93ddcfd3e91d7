// Draws the rules: list, confirmation, and forms with their results.
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { decidingRules, expiryInWords, NOT_COVERED, PATTERN_HELP, UNDECIDED, whyInWords } from '@roost/core/rules/rule-words';
import type { Rule } from '@roost/protocol/rule';
import { type ListedRule, toListedRules } from '../../output/rule-table.ts';
import type { Drawn, Room } from '../pane.ts';
import { cell } from '../parts/cells.ts';
import { drawForm } from '../parts/form.ts';
import { drawList } from '../parts/list.ts';
import { wrapped } from '../parts/wrapped.ts';
import { EMPTY_ROW, type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import type { RulesState, RulesStep } from './rules.ts';

export function drawRules({ list, step }: RulesState, world: World, room: Room): Drawn {
	const lower = stepRows(step, world, room);
	const height = room.height - lower.rows.length;
	// The form is more important than the list.
	const rows = height < 2 ? [] : listRows(list, world, { ...room, height });
	const line = rows.length + (lower.cursor?.line ?? 0);
	// Keeps the cursor visible.
	const top = lower.cursor ? Math.max(0, line - room.height + 1) : 0;
	const cursor = lower.cursor && { ...lower.cursor, line: line - top };
	return { rows: [...rows, ...lower.rows].slice(top, top + room.height), cursor };
}

export function rulesIn({ rules, sessions, project, now }: World): ListedRule[] {
	return toListedRules(rules, sessions, { projectPath: project.path, now });
}

function listRows(list: RulesState['list'], world: World, room: Room): Row[] {
	const rules = rulesIn(world);
	if (rules.length === 0) {
		const sentence = 'No rules: every request is asked here. Press + to add one.';
		return [...wrapped(sentence, room.width, 'faint')].slice(0, room.height);
	}
	return [headRow(room), ...drawList(list, rules, room.height - 1, (rule) => ruleRow(rule, world.now, room))];
}

const DECISION_TONES: Record<Rule['decision'] | 'none', Tone> = { allow: 'good', ask: 'warn', deny: 'bad', none: 'faint' };

type Widths = { scope: number; tool: number; pattern: number; by: number };

function widthsOf(width: number): Widths {
	const tool = Math.max(6, Math.min(24, Math.floor(width / 6)));
	const by = width >= 70 ? Math.min(20, Math.floor(width / 6)) : 0;
	const scope = width >= 70 ? Math.min(24, Math.floor(width / 5)) : 8;
	return { scope, tool, by, pattern: Math.max(4, width - 1 - 6 - scope - tool - by - 5 - (by > 0 ? 5 : 4)) };
}

function headRow({ width, styles }: Room): Row {
	const { scope, tool, pattern, by } = widthsOf(width);
	const names = [cell(' ', 1, styles), cell('DOES', 6, styles, 'faint'), cell('WHERE', scope, styles, 'faint'), span(' ')];
	const owner = by > 0 ? [cell('BY', by, styles, 'faint'), span(' ')] : [];
	const wide = [cell('TOOL', tool, styles, 'faint'), span(' '), cell('PATTERN', pattern, styles, 'faint'), span(' ')];
	return [...names, ...wide, ...owner, cell('AGE', 4, styles, 'faint')];
}

/** Rules that do not apply here are grey and show where they do. */
function ruleRow(rule: ListedRule, now: number, room: Room): Row {
	const { decision, tool: name, argsPattern, addedBy, createdAt, appliesHere } = rule;
	const { width, styles } = room;
	const { scope, tool, pattern, by } = widthsOf(width);
	const tone = (own: Tone | undefined): Tone | undefined => (appliesHere ? own : 'faint');
	return [
		span(' '),
		cell(decision, 6, styles, tone(DECISION_TONES[decision])),
		cell(placeOf(rule), scope, styles, tone(undefined)),
		span(' '),
		cell(name, tool, styles, tone('tool')),
		span(' '),
		...patternCells(argsPattern, expiryInWords(rule, now), pattern, styles, tone),
		span(' '),
		...(by > 0 ? [cell(addedBy, by, styles, 'faint'), span(' ')] : []),
		cell(age(createdAt, now), 4, styles, 'faint'),
	];
}

function placeOf({ scope, scopeId, project, appliesHere }: ListedRule): string {
	if (appliesHere || scope === 'user') return scope;
	return scope === 'session' ? `session ${scopeId}` : `project ${basename(project ?? scopeId)}`;
}

function basename(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

function patternCells(
	argsPattern: string | undefined,
	expiry: string,
	width: number,
	styles: Styles,
	tone: (own: Tone) => Tone | undefined,
): Span[] {
	const rest = expiry === '' ? 0 : Math.min(width - 4, expiry.length + 1);
	const pattern = cell(argsPattern ?? 'any', width - rest, styles, tone(argsPattern ? 'code' : 'faint'));
	return rest > 0 ? [pattern, cell(` ${expiry}`, rest, styles, tone('warn'))] : [pattern];
}

function stepRows(step: RulesStep, world: World, room: Room): Drawn {
	switch (step.at) {
		case 'list':
			return { rows: [] };
		case 'remove':
			return {
				rows: [
					EMPTY_ROW,
					...removeRows(
						world.rules.find(({ id }) => id === step.id),
						room,
					),
				],
			};
		case 'add':
			return below('New rule', drawForm(step.form, room), addRows(step.problem, room));
		case 'test':
			return below('Test a call', drawForm(step.form, room), testRows(step, world, room));
	}
}

function addRows(problem: string, { width }: Room): Iterable<Row> {
	return problem ? wrapped(problem, width - 2, 'warn') : wrapped(PATTERN_HELP, width - 2, 'faint');
}

function below(title: string, form: Drawn, says: Iterable<Row>): Drawn {
	const head: Row[] = [EMPTY_ROW, row(span(` ${title}`, 'title'))];
	const tail = [...says].map((line) => row('  ', ...line));
	const cursor = form.cursor && { ...form.cursor, line: form.cursor.line + head.length };
	return { rows: [...head, ...form.rows, ...tail], cursor };
}

function removeRows(rule: Rule | undefined, { width }: Room): Row[] {
	if (!rule) return [row(span(' This rule was already removed.', 'faint'))];
	const words = `Remove the rule: ${inWords(rule)}? [y/N]`;
	return [...wrapped(words, width - 2, 'warn')].map((line) => row(' ', ...line));
}

function* testRows(step: Extract<RulesStep, { at: 'test' }>, { ruleTest }: World, { width }: Room): Generator<Row> {
	if (step.problem) return yield* wrapped(step.problem, width - 2, 'warn');
	if (!step.asked) return yield* wrapped('The input as JSON; for Bash the command is enough.', width - 2, 'faint');
	// A late result may belong to an earlier test.
	const result = ruleTest?.body === step.asked ? ruleTest?.result : undefined;
	if (!result) return yield* wrapped('Asking the runner.', width - 2, 'faint');
	if (result.decision === 'none') yield* wrapped(UNDECIDED, width - 2, 'strong');
	else yield row(span(result.decision, DECISION_TONES[result.decision]));
	for (const rule of decidingRules(result)) yield* wrapped(`by the rule: ${inWords(rule)}, from ${rule.addedBy}`, width - 2);
	if (result.why) yield* wrapped(whyInWords(result), width - 2, 'warn');
	for (const { text, decision, rule } of result.parts ?? []) {
		const by = rule ? `by ${inWords(rule)}` : NOT_COVERED;
		yield* wrapped(`${decision.padEnd(5)} ${text}: ${by}`, width - 2, DECISION_TONES[decision]);
	}
}

function inWords({ decision, tool, argsPattern, scope }: Rule): string {
	return `${decision} ${tool}${argsPattern ? ` ${argsPattern}` : ''} (${scope})`;
}
