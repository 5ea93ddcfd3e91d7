// The permission dialog: the whole call and every possible answer. Leaving it never allows.
import type { World } from '@roost/client/world/world';
import { CHOICES, type ChoiceName, firstChoice } from '@roost/core/answers/choices';
import { fromEdited, MAX_EDITED, toEditable } from '@roost/core/answers/edit-input';
import { knownIn, toAnswer } from '@roost/core/rules/always';
import type { AskRow } from '@roost/protocol/ask';
import type { Binding } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay, type Wish } from '../pane.ts';
import { EDITING, EMPTY_FIELD, edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import { type AlwaysForm, actOnForm, isTypingPattern, startForm, toAlways, typePattern } from './always-form.ts';
import { askOnScreen, type OnScreen, whenReady } from './ask-parts.ts';
import { CHOICE_KEYS, CHOICES_BELOW, drawPermission, scrollInput } from './permission-rows.ts';

export type PermissionState = OnScreen & {
	readonly chosen: number;
	readonly scroll: number;
	readonly step: PermissionStep;
};

type PermissionStep =
	| { readonly at: 'choose' }
	| { readonly at: 'edit' | 'message'; readonly field: TextField; readonly problem: string }
	| { readonly at: 'always'; readonly form: AlwaysForm; readonly problem: string };

type Answer = Extract<Wish, { type: 'approve' }>['answer'];

export const permissionPane: Pane<PermissionState> = {
	title: 'Permission',
	keys: ({ step }) => KEYS[step.at === 'always' && isTypingPattern(step.form) ? 'pattern' : step.at],
	start: (world) =>
		showPermission(
			world.asks.find(({ kind }) => kind === 'permission'),
			world.now,
		),
	takesText: ({ step }) => step.at === 'edit' || step.at === 'message' || (step.at === 'always' && isTypingPattern(step.form)),
	type: (state, text) => stay(typeText(state, text)),
	act,
	draw: (state, world, room) => drawPermission(state, askOnScreen(state, world), world, room),
};

export function showPermission(ask: AskRow | undefined, now: number): PermissionState {
	return { ask: ask?.id, since: now, chosen: ask ? firstChoice(ask) : 0, scroll: 0, step: { at: 'choose' } };
}

const SEND: readonly Binding[] = [
	{ keys: ['enter'], action: 'send', help: 'send it', hint: true },
	{ keys: ['esc'], action: 'back', help: 'back to the choices', hint: true },
];

const NEWLINE: Binding = { keys: ['alt+enter', 'ctrl+j'], action: 'newline', help: 'a new line', hint: true };

const LINES: readonly Binding[] = [
	{ keys: ['down', 'tab'], action: 'down', help: 'next line' },
	{ keys: ['up', 'shift+tab'], action: 'up', help: 'previous line' },
];

const KEYS: Record<PermissionStep['at'] | 'pattern', readonly Binding[]> = {
	choose: [
		...CHOICE_KEYS,
		{ keys: ['enter'], action: 'choose', help: 'selected choice' },
		{ keys: ['down', 'j'], action: 'down', help: 'next choice' },
		{ keys: ['up', 'k'], action: 'up', help: 'previous choice' },
		{ keys: ['left', 'h'], action: 'left', help: 'to allow' },
		{ keys: ['right', 'l'], action: 'right', help: 'to deny' },
		{ keys: ['pgdn', 'space', 'ctrl+d', 'ctrl+f'], action: 'page-down', help: 'scroll down', hint: true },
		{ keys: ['pgup', 'ctrl+u', 'ctrl+b'], action: 'page-up', help: 'scroll up' },
		{ keys: ['wheel-down', 'J'], action: 'line-down', help: 'scroll down a line' },
		{ keys: ['wheel-up', 'K'], action: 'line-up', help: 'scroll up a line' },
		{ keys: ['g', 'home'], action: 'top', help: 'to the start' },
		{ keys: ['G', 'end'], action: 'bottom', help: 'to the end' },
		{ keys: ['esc'], action: 'hide', help: 'decide later', hint: true },
	],
	edit: [...SEND, NEWLINE, ...EDITING],
	message: [...SEND, NEWLINE, ...EDITING],
	always: [
		...SEND,
		...LINES,
		{ keys: ['right', 'l', 'space'], action: 'right', help: 'change it', hint: true },
		{ keys: ['left', 'h'], action: 'left', help: 'change it back' },
		{ keys: ['j'], action: 'down' },
		{ keys: ['k'], action: 'up' },
	],
	pattern: [...SEND, ...LINES, ...EDITING],
};

function act(state: PermissionState, action: string, world: World, room: Room): Step<PermissionState> {
	const { step } = state;
	if (action === 'back') return stay({ ...state, step: { at: 'choose' } });
	if (action === 'send') return whenReady(state, world, (ask) => send(state, ask));
	switch (step.at) {
		case 'choose':
			return actOnChoices(state, action, world, room);
		case 'always': {
			const ask = askOnScreen(state, world);
			return stay(ask ? { ...state, step: { ...step, form: actOnForm(step.form, action, ask), problem: '' } } : state);
		}
		default: {
			const field = action === 'newline' ? insert(step.field, '\n') : edit(step.field, action);
			return stay(field ? { ...state, step: { ...step, field, problem: '' } } : state);
		}
	}
}

function actOnChoices(state: PermissionState, action: string, world: World, room: Room): Step<PermissionState> {
	switch (action) {
		case 'hide':
			return { state, go: 'back' };
		case 'down':
			return stay({ ...state, chosen: Math.min(CHOICES.length - 1, state.chosen + 1) });
		case 'up':
			return stay({ ...state, chosen: Math.max(0, state.chosen - 1) });
		case 'left':
			return stay({ ...state, chosen: state.chosen % CHOICES_BELOW });
		case 'right':
			return stay({ ...state, chosen: (state.chosen % CHOICES_BELOW) + CHOICES_BELOW });
		case 'choose': {
			const choice = CHOICES[state.chosen];
			return choice ? whenReady(state, world, (ask) => take(state, choice.name, ask, world)) : stay(state);
		}
		default: {
			const choice = CHOICES.find(({ name }) => name === action);
			if (choice) return whenReady(state, world, (ask) => take(state, choice.name, ask, world));
			const ask = askOnScreen(state, world);
			return stay(ask ? { ...state, scroll: scrollInput(state, action, ask, world, room) } : state);
		}
	}
}

function take(state: PermissionState, name: ChoiceName, ask: AskRow, world: World): Step<PermissionState> {
	switch (name) {
		case 'allow':
			return answer(state, ask, { decision: 'allow' });
		case 'deny':
			return answer(state, ask, { decision: 'deny' });
		case 'interrupt':
			return answer(state, ask, { decision: 'deny', interrupt: true });
		case 'always':
			return stay({ ...state, step: { at: 'always', form: startForm(ask, knownIn(ask, world)), problem: '' } });
		case 'message':
			return stay({ ...state, step: { at: 'message', field: EMPTY_FIELD, problem: '' } });
		case 'edit': {
			const text = toEditable(ask);
			if (!text.ok) return { state, wishes: [{ type: 'say', sentence: text.error.message }] };
			return stay({ ...state, step: { at: 'edit', field: fieldWith(text.value), problem: '' } });
		}
	}
}

function send(state: PermissionState, ask: AskRow): Step<PermissionState> {
	const { step } = state;
	switch (step.at) {
		case 'choose':
			return stay(state);
		case 'message': {
			const denyMessage = step.field.text.trim();
			return answer(state, ask, denyMessage === '' ? { decision: 'deny' } : { decision: 'deny', denyMessage });
		}
		case 'edit': {
			const text = toEditable(ask);
			if (text.ok && text.value === step.field.text) return answer(state, ask, { decision: 'allow' });
			const edited = fromEdited(ask, step.field.text);
			if (!edited.ok) return stay({ ...state, step: { ...step, problem: edited.error.message } });
			return answer(state, ask, { decision: 'allow', modifiedInput: edited.value });
		}
		case 'always': {
			const message = toAnswer(toAlways(step.form), ask);
			if (!message.ok) return stay({ ...state, step: { ...step, problem: message.error.message } });
			return answer(state, ask, message.value);
		}
	}
}

/** The dialog stays open until the runner reports the outcome. */
function answer(state: PermissionState, ask: AskRow, message: Answer): Step<PermissionState> {
	return { state, wishes: [{ type: 'approve', ask, answer: message }] };
}

function typeText(state: PermissionState, text: string): PermissionState {
	const { step } = state;
	if (step.at === 'choose') return state;
	if (step.at === 'always') return { ...state, step: { ...step, form: typePattern(step.form, text), problem: '' } };
	const field = insert(step.field, text.replaceAll(/\r\n?/g, '\n'));
	if (field.text.length > MAX_EDITED) return { ...state, step: { ...step, problem: 'This text is too long.' } };
	return { ...state, step: { ...step, field, problem: '' } };
}
