// Key bindings as data.
import type { World } from '@roost/client/world/world';

export type Binding = {
	readonly keys: readonly string[];
	readonly action: string;
	/** Absent for alternative keys of an action that is already explained. */
	readonly help?: string;
	/** Shown in the footer; a string replaces the help there. */
	readonly hint?: boolean | string;
};

export function actionFor(bindings: readonly Binding[], key: string): string | undefined {
	return bindings.find(({ keys }) => keys.includes(key))?.action;
}

export const MOVING: readonly Binding[] = [
	{ keys: ['down', 'j', 'wheel-down'], action: 'down', help: 'down' },
	{ keys: ['up', 'k', 'wheel-up'], action: 'up', help: 'up' },
	{ keys: ['pgdn', 'ctrl+d', 'ctrl+f', 'space'], action: 'page-down', help: 'a page down' },
	{ keys: ['pgup', 'ctrl+u', 'ctrl+b'], action: 'page-up', help: 'a page up' },
	{ keys: ['g', 'home'], action: 'top', help: 'to the top' },
	{ keys: ['G', 'end'], action: 'bottom', help: 'to the end' },
];

/** Active while no text is typed. */
export const GLOBAL: readonly Binding[] = [
	{ keys: ['?'], action: 'help', help: 'keys of this view', hint: 'help' },
	{ keys: [':'], action: 'palette', help: 'command palette', hint: 'commands' },
	{ keys: ['tab'], action: 'next-view', help: 'next panel' },
	{ keys: ['shift+tab'], action: 'previous-view', help: 'previous panel' },
	{ keys: ['a'], action: 'decide', help: 'decide a request' },
	{ keys: ['w'], action: 'waiting', help: 'pending requests' },
	{ keys: ['i'], action: 'composer', help: 'write to the agent' },
	{ keys: ['S'], action: 'search', help: 'search all sessions' },
	{ keys: ['q', 'ctrl+c'], action: 'quit', help: 'quit', hint: true },
];

const AT_HUB: readonly Binding[] = GLOBAL.flatMap((binding) =>
	binding.action === 'waiting' ? [binding, { keys: ['H'], action: 'runners', help: 'runners of the hub' }] : [binding],
);

export function globalKeys({ runners }: Pick<World, 'runners'>): readonly Binding[] {
	return runners ? AT_HUB : GLOBAL;
}
