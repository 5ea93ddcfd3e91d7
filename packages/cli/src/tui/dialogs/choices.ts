// What can be said to a permission, each with its key: what allows on the left, what denies on the right.

import { toEditable } from '@roost/core/answers/edit-input';
import type { AskRow } from '@roost/protocol/ask';
import type { Binding } from '../keys/keymap.ts';
import type { Tone } from '../screen/styles.ts';

export type ChoiceName = 'allow' | 'always' | 'edit' | 'deny' | 'message' | 'interrupt';

export type Choice = { readonly name: ChoiceName; readonly key: string; readonly words: string; readonly tone: Tone };

export const CHOICES: readonly Choice[] = [
	{ name: 'allow', key: 'y', words: 'Allow once', tone: 'good' },
	{ name: 'always', key: 'a', words: 'Always: make a rule', tone: 'good' },
	{ name: 'edit', key: 'e', words: 'Edit, then allow', tone: 'good' },
	{ name: 'deny', key: 'n', words: 'Deny', tone: 'bad' },
	{ name: 'message', key: 'm', words: 'Deny and say why', tone: 'bad' },
	{ name: 'interrupt', key: 'x', words: 'Deny and interrupt', tone: 'bad' },
];

/** As many as stand below each other. */
export const CHOICES_BELOW = 3;

/** Where much could be lost, a key too many must not allow. */
export function firstChoice({ risk }: AskRow): number {
	return CHOICES.findIndex(({ name }) => name === (risk === 'high' ? 'deny' : 'allow'));
}

/** Not every input can be edited; pressing the key says why. */
export function canTake({ name }: Choice, ask: AskRow): boolean {
	return name !== 'edit' || toEditable(ask).ok;
}

/** Each choice by its own key. */
export const CHOICE_KEYS: readonly Binding[] = CHOICES.map(({ name, key, words }) => ({
	keys: [key],
	action: name,
	help: words.toLowerCase(),
	hint: name === 'allow' || name === 'deny',
}));
