// What can be said to a permission, in the order of the list, each with its key.
import type { AskRow } from '@roost/protocol/ask';
import type { Binding } from '../keys/keymap.ts';
import type { Tone } from '../screen/look.ts';
import { toEditable } from './edit-input.ts';

export type ChoiceName = 'allow' | 'always' | 'edit' | 'deny' | 'message' | 'interrupt';

export type Choice = { readonly name: ChoiceName; readonly key: string; readonly words: string; readonly tone: Tone };

export const CHOICES: readonly Choice[] = [
	{ name: 'allow', key: 'y', words: 'Allow once', tone: 'good' },
	{ name: 'always', key: 'a', words: 'Always: make a rule of it', tone: 'good' },
	{ name: 'edit', key: 'e', words: 'Edit it, then allow', tone: 'good' },
	{ name: 'deny', key: 'n', words: 'Deny', tone: 'bad' },
	{ name: 'message', key: 'm', words: 'Deny, and tell the agent why', tone: 'bad' },
	{ name: 'interrupt', key: 'x', words: 'Deny, and stop the agent', tone: 'bad' },
];

/** Where much could be lost, a key too many must not allow. */
export function firstChoice({ risk }: AskRow): number {
	return CHOICES.findIndex(({ name }) => name === (risk === 'high' ? 'deny' : 'allow'));
}

/** Why this one cannot be taken. */
export function obstacleTo({ name }: Choice, ask: AskRow): string | undefined {
	const editable = name === 'edit' ? toEditable(ask) : undefined;
	return editable && !editable.ok ? editable.error.message : undefined;
}

/** Each choice by its own key. */
export const CHOICE_KEYS: readonly Binding[] = CHOICES.map(({ name, key, words }) => ({
	keys: [key],
	action: name,
	help: words.toLowerCase(),
	hint: name === 'allow' || name === 'deny',
}));
