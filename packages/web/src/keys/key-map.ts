// Which actions a press of keys means. Two presses in a row make a sequence: `g i`.
import { ACTIONS, type ActionName } from './actions.ts';

export type Press = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };

const byKeys = new Map<string, ActionName[]>();
for (const [name, { keys }] of Object.entries(ACTIONS)) {
	for (const one of keys) if (isActionName(name)) byKeys.set(one, [...(byKeys.get(one) ?? []), name]);
}
const beginnings = new Set([...byKeys.keys()].flatMap((keys) => (keys.includes(' ') ? [keys.split(' ')[0] ?? ''] : [])));

/** `before`: the beginning of a sequence, or nothing. */
export function readPress(before: string, press: Press): { actions: readonly ActionName[]; before: string } {
	const name = nameOf(press);
	if (name === undefined) return { actions: [], before: '' };
	const actions = (before === '' ? undefined : byKeys.get(`${before} ${name}`)) ?? byKeys.get(name) ?? [];
	return { actions, before: actions.length === 0 && beginnings.has(name) ? name : '' };
}

/** Keys without ⌘ or Ctrl do nothing in a field, and can be switched off. */
export function isSingleKey({ key, ctrlKey, metaKey }: Press): boolean {
	return !ctrlKey && !metaKey && key !== 'Escape';
}

function nameOf({ key, ctrlKey, metaKey, altKey }: Press): string | undefined {
	if (altKey) return undefined;
	return ctrlKey || metaKey ? `Mod+${key.length === 1 ? key.toLowerCase() : key}` : key;
}

function isActionName(name: string): name is ActionName {
	return name in ACTIONS;
}
