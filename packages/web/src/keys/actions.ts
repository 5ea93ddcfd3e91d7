// Every action with its keys, as data: the keyboard, the help and the list of commands are made from it.

export type Action = {
	/** Each is one press, or two in a row: `g i`. `Mod` is ⌘ on a Mac, else Ctrl. */
	readonly keys: readonly string[];
	readonly words: string;
	/** Performed again while the key is held. */
	readonly repeats?: true;
	readonly group: 'Everywhere' | 'Lists and feed' | 'Requests' | 'Session' | 'Changes';
};

export const ACTIONS = {
	help: { keys: ['?'], words: 'Show all keys', group: 'Everywhere' },
	commands: { keys: ['Mod+k', ':'], words: 'Open the list of commands', group: 'Everywhere' },
	inbox: { keys: ['g i'], words: 'Go to the inbox', group: 'Everywhere' },
	board: { keys: ['g b'], words: 'Go to the board', group: 'Everywhere' },
	search: { keys: ['g s', 'S'], words: 'Search all sessions', group: 'Everywhere' },
	rules: { keys: ['g r'], words: 'Go to the rules', group: 'Everywhere' },
	usage: { keys: ['g u'], words: 'Go to usage', group: 'Everywhere' },
	projects: { keys: ['g p'], words: 'Go to the projects', group: 'Everywhere' },
	agents: { keys: ['g a'], words: 'Go to the agents', group: 'Everywhere' },
	terminals: { keys: ['g t'], words: 'Go to the terminals', group: 'Everywhere' },
	devices: { keys: ['g d'], words: 'Go to the devices', group: 'Everywhere' },
	back: { keys: ['Escape'], words: 'Close or go back', group: 'Everywhere' },
	firstAsk: { keys: ['a'], words: 'Open the first request', group: 'Everywhere' },
	next: { keys: ['j', 'ArrowDown'], words: 'Next row', repeats: true, group: 'Lists and feed' },
	previous: { keys: ['k', 'ArrowUp'], words: 'Previous row', repeats: true, group: 'Lists and feed' },
	open: { keys: ['Enter'], words: 'Open in place', group: 'Lists and feed' },
	openWhole: { keys: ['o'], words: 'Open the whole event', group: 'Lists and feed' },
	follow: { keys: ['G', 'f'], words: 'Follow the newest event', group: 'Lists and feed' },
	find: { keys: ['/'], words: 'Search this feed', group: 'Lists and feed' },
	nextHit: { keys: ['n'], words: 'Next hit, upwards', group: 'Lists and feed' },
	previousHit: { keys: ['N'], words: 'Previous hit, downwards', group: 'Lists and feed' },
	allow: { keys: ['y'], words: 'Allow once', group: 'Requests' },
	deny: { keys: ['n'], words: 'Deny', group: 'Requests' },
	denyWithMessage: { keys: ['m'], words: 'Deny with a message', group: 'Requests' },
	edit: { keys: ['e'], words: 'Edit, then allow', group: 'Requests' },
	write: { keys: ['i'], words: 'Write a prompt', group: 'Session' },
	send: { keys: ['Mod+Enter'], words: 'Send', group: 'Session' },
	previousSession: { keys: ['['], words: 'Previous session', group: 'Session' },
	nextSession: { keys: [']'], words: 'Next session', group: 'Session' },
	interrupt: { keys: [], words: 'Interrupt the run', group: 'Session' },
	fork: { keys: [], words: 'Fork this session', group: 'Session' },
	resume: { keys: [], words: 'Resume this session', group: 'Session' },
	intoTerminal: { keys: [], words: 'Move this session into a terminal', group: 'Session' },
	takeBack: { keys: [], words: 'Take this session back from its terminal', group: 'Session' },
	rename: { keys: [], words: 'Rename this session', group: 'Session' },
	archive: { keys: [], words: 'Archive this session', group: 'Session' },
	endSession: { keys: [], words: 'End this session', group: 'Session' },
	newSession: { keys: [], words: 'Start a new session', group: 'Everywhere' },
	comment: { keys: ['c'], words: 'Comment on this line', group: 'Changes' },
	commentRange: { keys: ['C'], words: 'Comment from the last commented line to this one', group: 'Changes' },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;
