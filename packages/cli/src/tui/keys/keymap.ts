// Bindings as data: what a key does and how help says it.

export type Binding = {
	readonly keys: readonly string[];
	readonly action: string;
	/** A few words for help; without them the binding is a second way to something that is explained already. */
	readonly help?: string;
	/** In the footer too; a word or two say it shorter there. */
	readonly hint?: boolean | string;
};

export function actionFor(bindings: readonly Binding[], key: string): string | undefined {
	return bindings.find(({ keys }) => keys.includes(key))?.action;
}

/** Moving in lists and texts is the same everywhere. */
export const MOVING: readonly Binding[] = [
	{ keys: ['down', 'j', 'wheel-down'], action: 'down', help: 'down' },
	{ keys: ['up', 'k', 'wheel-up'], action: 'up', help: 'up' },
	{ keys: ['pgdn', 'ctrl+d', 'ctrl+f', 'space'], action: 'page-down', help: 'a page down' },
	{ keys: ['pgup', 'ctrl+u', 'ctrl+b'], action: 'page-up', help: 'a page up' },
	{ keys: ['g', 'home'], action: 'top', help: 'to the top' },
	{ keys: ['G', 'end'], action: 'bottom', help: 'to the end' },
];

/** Wherever no text is typed. */
export const GLOBAL: readonly Binding[] = [
	{ keys: ['?'], action: 'help', help: 'help for where you are', hint: 'help' },
	{ keys: [':'], action: 'palette', help: 'every command', hint: 'commands' },
	{ keys: ['tab'], action: 'next-view', help: 'the next panel' },
	{ keys: ['shift+tab'], action: 'previous-view', help: 'the panel before' },
	{ keys: ['a'], action: 'decide', help: 'decide what waits' },
	{ keys: ['w'], action: 'waiting', help: 'all that needs you' },
	{ keys: ['i'], action: 'composer', help: 'write to the agent' },
	{ keys: ['S'], action: 'search', help: 'words in all sessions' },
	{ keys: ['q', 'ctrl+c'], action: 'quit', help: 'quit', hint: true },
];
