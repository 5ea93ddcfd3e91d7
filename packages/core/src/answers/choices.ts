// The possible answers to a permission request, and the key of each.
import type { AskRow } from '@roost/protocol/ask';
import { toEditable } from './edit-input.ts';

export type ChoiceName = 'allow' | 'always' | 'edit' | 'deny' | 'message' | 'interrupt';

export type Choice = {
	readonly name: ChoiceName;
	readonly decision: 'allow' | 'deny';
	readonly key: string;
	readonly words: string;
};

export const CHOICES: readonly Choice[] = [
	{ name: 'allow', decision: 'allow', key: 'y', words: 'Allow once' },
	{ name: 'always', decision: 'allow', key: 'a', words: 'Always: make a rule' },
	{ name: 'edit', decision: 'allow', key: 'e', words: 'Edit, then allow' },
	{ name: 'deny', decision: 'deny', key: 'n', words: 'Deny' },
	{ name: 'message', decision: 'deny', key: 'm', words: 'Deny and say why' },
	{ name: 'interrupt', decision: 'deny', key: 'x', words: 'Deny and interrupt' },
];

/** At high risk the default is to deny. */
export function firstChoice({ risk }: Pick<AskRow, 'risk'>): number {
	return CHOICES.findIndex(({ name }) => name === (risk === 'high' ? 'deny' : 'allow'));
}

/** Choosing it explains why an input cannot be edited. */
export function canChoose({ name }: Choice, ask: AskRow): boolean {
	return name !== 'edit' || toEditable(ask).ok;
}
