// How things look: tones as colours, and glyphs with plain stand-ins. Panels name a tone, a theme says what it is.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** What a piece of text means, not what colour it has. */
export type Tone =
	| 'faint'
	| 'strong'
	| 'accent'
	| 'good'
	| 'warn'
	| 'bad'
	| 'person'
	| 'agent'
	| 'tool'
	| 'added'
	| 'removed'
	| 'code'
	| 'emphasis'
	| 'found'
	| 'selected'
	| 'title'
	| 'key';

export type Styles = {
	/** `over` lies beneath it, such as the bar of a selected line. */
	paint(tone: Tone | undefined, text: string, over?: Tone): string;
	/** On the same line to this column, from 0, however wide the terminal takes the text before it to be. */
	column(at: number): string;
	readonly glyphs: Glyphs;
};

export type Glyphs = {
	vertical: string;
	horizontal: string;
	expanded: string;
	collapsed: string;
	more: string;
	bullet: string;
	ok: string;
	failed: string;
	ask: string;
	question: string;
	prompt: string;
	message: string;
	working: string;
	waiting: string;
	idle: string;
	ended: string;
	todoOpen: string;
	todoDoing: string;
	todoDone: string;
	bar: string;
	barEmpty: string;
	branch: string;
	lastBranch: string;
};

export const THEMES = ['dark', 'light', 'high-contrast'] as const;
export type ThemeName = (typeof THEMES)[number];

export type StyleOptions = { theme: ThemeName; colour: boolean; ascii: boolean };

export function createStyles(options: StyleOptions): Styles {
	const codes = options.colour ? CODES[options.theme] : MONOCHROME;
	return {
		paint(tone, text, over) {
			const code = [tone && codes[tone], over && codes[over]].filter(Boolean).join(';');
			return code && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text;
		},
		column: (at) => `\x1b[${at + 1}G`,
		glyphs: options.ascii ? ASCII : UNICODE,
	};
}

type Codes = Partial<Record<Tone, string>>;

/** Where colour is unwanted, weight and reversal still tell things apart. */
const MONOCHROME: Codes = {
	faint: '2',
	strong: '1',
	emphasis: '3',
	found: '1;4',
	bad: '1',
	warn: '1',
	selected: '7',
	title: '1',
	key: '1',
};

const CODES: Record<ThemeName, Codes> = {
	dark: {
		faint: '90',
		strong: '1',
		accent: '36',
		good: '32',
		warn: '33',
		bad: '31',
		person: '1;97',
		agent: '36',
		tool: '94',
		added: '32',
		removed: '31',
		code: '37',
		emphasis: '3',
		found: '30;43',
		selected: '48;5;237',
		title: '1;36',
		key: '1;33',
	},
	light: {
		faint: '38;5;244',
		strong: '1',
		accent: '34',
		good: '38;5;28',
		warn: '38;5;130',
		bad: '38;5;124',
		person: '1;30',
		agent: '38;5;25',
		tool: '38;5;54',
		added: '38;5;28',
		removed: '38;5;124',
		code: '38;5;238',
		emphasis: '3',
		found: '30;48;5;222',
		selected: '48;5;254',
		title: '1;34',
		key: '1;38;5;130',
	},
	'high-contrast': {
		faint: '37',
		strong: '1;97',
		accent: '1;96',
		good: '1;92',
		warn: '1;93',
		bad: '1;91',
		person: '1;97',
		agent: '1;96',
		tool: '1;95',
		added: '1;92',
		removed: '1;91',
		code: '97',
		emphasis: '3',
		found: '1;30;103',
		selected: '7',
		title: '1;97',
		key: '1;93',
	},
};

const UNICODE: Glyphs = {
	vertical: '│',
	horizontal: '─',
	expanded: '▾',
	collapsed: '▸',
	more: '…',
	bullet: '•',
	ok: '✓',
	failed: '✗',
	ask: '⚠',
	question: '?',
	prompt: '❯',
	message: '◆',
	working: '●',
	waiting: '◐',
	idle: '○',
	ended: '■',
	todoOpen: '☐',
	todoDoing: '◐',
	todoDone: '☑',
	bar: '█',
	barEmpty: '░',
	branch: '├ ',
	lastBranch: '└ ',
};

const ASCII: Glyphs = {
	vertical: '|',
	horizontal: '-',
	expanded: 'v',
	collapsed: '>',
	more: '...',
	bullet: '*',
	ok: '+',
	failed: 'x',
	ask: '!',
	question: '?',
	prompt: '>',
	message: '*',
	working: '*',
	waiting: '!',
	idle: 'o',
	ended: '#',
	todoOpen: '[ ]',
	todoDoing: '[~]',
	todoDone: '[x]',
	bar: '#',
	barEmpty: '.',
	branch: '|-',
	lastBranch: '`-',
};

export function toStyleOptions(
	options: { theme?: string | undefined; ascii?: boolean | undefined },
	env: NodeJS.ProcessEnv,
): Result<StyleOptions> {
	const theme = THEMES.find((name) => name === (options.theme ?? 'dark'));
	if (!theme) return err(new AppError('usage', `--theme takes ${THEMES.join(', ')}; it was "${options.theme}".`));
	return ok({ theme, colour: !env.NO_COLOR, ascii: options.ascii === true || !showsGlyphs(env) });
}

/** The console of Linux has few glyphs, and a plain C locale promises none. */
function showsGlyphs(env: NodeJS.ProcessEnv): boolean {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
	return env.TERM !== 'linux' && locale !== 'C' && locale !== 'POSIX';
}
