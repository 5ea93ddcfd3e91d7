// The keys while one types a filter over a list: choosing goes on meanwhile.
import type { Binding } from '../keys/keymap.ts';
import { EDITING } from './text-field.ts';

export function filterKeys(open: string): readonly Binding[] {
	return [
		{ keys: ['enter'], action: 'open', help: open, hint: true },
		{ keys: ['esc'], action: 'leave', help: 'no filter', hint: true },
		{ keys: ['down', 'tab', 'ctrl+n'], action: 'down', help: 'down' },
		{ keys: ['up', 'shift+tab', 'ctrl+p'], action: 'up', help: 'up' },
		{ keys: ['pgdn'], action: 'page-down', help: 'a page down' },
		{ keys: ['pgup'], action: 'page-up', help: 'a page up' },
		...EDITING,
	];
}
