// Rules: list, add, remove and test.
import type { World } from '@roost/client/world/world';
import { NO_TOOL } from '@roost/core/rules/rule-words';
import { parseTestedInput } from '@roost/core/rules/tested-input';
import type { RuleBody, RuleTestBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { RuleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, ruleDecision, ruleScope } from '@roost/protocol/rule';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { actOnForm, choiceLine, type Form, formKeys, isTyping, textLine, typeInForm, valueIn } from '../parts/form.ts';
import { clampList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { fieldWith } from '../parts/text-field.ts';
import { drawRules, rulesIn } from './rules-rows.ts';

export type RulesState = { readonly list: ListState; readonly step: RulesStep };

export type RulesStep =
	| { readonly at: 'list' }
	| { readonly at: 'remove'; readonly id: RuleId }
	| { readonly at: 'add'; readonly form: AddForm; readonly problem: string }
	/** `asked`: the call being tested. */
	| { readonly at: 'test'; readonly form: TestForm; readonly problem: string; readonly asked?: RuleTestBody };

export const rulesPane: Pane<RulesState> = {
	title: 'Rules',
	keys: ({ step }) => keysOf(step),
	start: () => ({ list: LIST_START, step: { at: 'list' } }),
	again: ({ list }) => ({ list, step: { at: 'list' } }),
	act,
	takesText: ({ step }) => (step.at === 'add' || step.at === 'test') && isTyping(step.form),
	type: (state, text) => stay(typeText(state, text)),
	draw: drawRules,
};

const LIST_KEYS: readonly Binding[] = [
	...MOVING,
	{ keys: ['+'], action: 'add', help: 'add a rule', hint: true },
	{ keys: ['x', 'delete', 'backspace'], action: 'remove', help: 'remove this rule', hint: true },
	{ keys: ['t'], action: 'test', help: 'test a call', hint: true },
	{ keys: ['R'], action: 'refresh', help: 'reload' },
	{ keys: ['esc'], action: 'back', help: 'back to the feed', hint: true },
];

const REMOVE_KEYS: readonly Binding[] = [
	{ keys: ['y', 'Y'], action: 'yes', help: 'remove it', hint: true },
	{ keys: ['n', 'N', 'esc', 'enter', 'q'], action: 'no', help: 'keep it', hint: true },
];

function keysOf(step: RulesStep): readonly Binding[] {
	if (step.at === 'list') return LIST_KEYS;
	if (step.at === 'remove') return REMOVE_KEYS;
	return [
		{ keys: ['enter'], action: 'send', help: step.at === 'add' ? 'add the rule' : 'test it', hint: true },
		{ keys: ['esc'], action: 'leave', help: 'back to the list', hint: true },
		...formKeys(step.form),
	];
}

function act(state: RulesState, action: string, world: World, room: Room): Step<RulesState> {
	const { step } = state;
	if (action === 'leave' || action === 'no') return stay({ ...state, step: { at: 'list' } });
	switch (step.at) {
		case 'list':
			return actOnList(state, action, world, room);
		case 'remove':
			if (action !== 'yes') return stay(state);
			return { state: { ...state, step: { at: 'list' } }, wishes: [{ type: 'remove-rule', id: step.id }] };
		case 'add':
			if (action === 'send') return sendRule(state, step, world);
			return stay({ ...state, step: { ...step, form: actOnForm(step.form, action), problem: '' } });
		case 'test':
			if (action === 'send') return sendTest(state, step, world);
			return stay({ ...state, step: { ...step, form: actOnForm(step.form, action), problem: '' } });
	}
}

function actOnList(state: RulesState, action: string, world: World, room: Room): Step<RulesState> {
	const rule = ruleAt(state, world, room);
	switch (action) {
		case 'add':
			return stay({ ...state, step: { at: 'add', form: ADD_START, problem: '' } });
		case 'test':
			return stay({ ...state, step: { at: 'test', form: TEST_START, problem: '' } });
		case 'remove':
			return stay(rule ? { ...state, step: { at: 'remove', id: rule.id } } : state);
		case 'refresh':
			return { state, wishes: [{ type: 'refresh-sessions' }] };
		case 'back':
			return { state, go: 'back' };
		default:
			return stay({ ...state, list: moveInList(state.list, action, world.rules.length, room.height - 1) });
	}
}

function ruleAt({ list }: RulesState, world: World, room: Room): Rule | undefined {
	const rules = rulesIn(world);
	return rules[clampList(list, rules.length, room.height - 1).selected];
}

function sendRule(state: RulesState, step: Extract<RulesStep, { at: 'add' }>, world: World): Step<RulesState> {
	const rule = toRule(step.form, world);
	if (!rule.ok) return stay({ ...state, step: { ...step, problem: rule.error.message } });
	return { state: { ...state, step: { at: 'list' } }, wishes: [{ type: 'add-rule', rule: rule.value }] };
}

function sendTest(state: RulesState, step: Extract<RulesStep, { at: 'test' }>, world: World): Step<RulesState> {
	const body = toRuleTest(step.form, world);
	if (!body.ok) return stay({ ...state, step: { ...step, problem: body.error.message, asked: undefined } });
	return {
		state: { ...state, step: { ...step, problem: '', asked: body.value } },
		wishes: [{ type: 'test-rule', body: body.value }],
	};
}

function typeText(state: RulesState, text: string): RulesState {
	const { step } = state;
	if (step.at === 'add') return { ...state, step: { ...step, form: typeInForm(step.form, text), problem: '' } };
	if (step.at === 'test') return { ...state, step: { ...step, form: typeInForm(step.form, text), problem: '' } };
	return state;
}

type AddForm = Form<'decision' | 'tool' | 'pattern' | 'scope'>;
type TestForm = Form<'tool' | 'input'>;

/** The narrow scope first. */
const SCOPES = ['project', 'session', 'user'];

const ADD_START: AddForm = {
	at: 0,
	lines: [
		choiceLine('decision', 'Decision', ['deny', 'ask', 'allow']),
		textLine('tool', 'Tool', fieldWith('Bash')),
		textLine('pattern', 'Pattern'),
		choiceLine('scope', 'Where', SCOPES),
	],
};

const TEST_START: TestForm = { at: 1, lines: [textLine('tool', 'Tool', fieldWith('Bash')), textLine('input', 'Input')] };

function toRule(form: AddForm, { open, project }: World): Result<RuleBody> {
	const tool = valueIn(form, 'tool');
	const argsPattern = valueIn(form, 'pattern');
	const scope = ruleScope.parse(valueIn(form, 'scope'));
	if (tool === '') return err(new AppError('usage', NO_TOOL));
	if (scope === 'session' && !open) return err(new AppError('usage', 'No session is open. Use project scope.'));
	const scopeIds = { session: open?.id, project: project.path, user: undefined };
	const scopeId = scopeIds[scope];
	return ok({
		decision: ruleDecision.parse(valueIn(form, 'decision')),
		tool,
		scope,
		...(argsPattern === '' ? {} : { argsPattern }),
		...(scopeId === undefined ? {} : { scopeId }),
	});
}

function toRuleTest(form: TestForm, { open, project }: World): Result<RuleTestBody> {
	const tool = valueIn(form, 'tool');
	if (tool === '') return err(new AppError('usage', 'Name a tool, such as Bash or mcp__github__create_issue.'));
	const input = parseTestedInput(tool, valueIn(form, 'input'));
	if (!input.ok) return input;
	return ok({ tool, input: input.value, projectId: project.path, ...(open ? { sessionId: open.id } : {}) });
}
