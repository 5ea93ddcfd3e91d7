// How things look: tones as colours, and glyphs with ASCII substitutes. Panels name a tone, a theme gives it a colour.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export const THEMES = ['dark', 'light', 'high-contrast'] as const;
export type ThemeName = (typeof THEMES)[number];

/** What a piece of text means, with its codes in each theme. Without colour, weight and reversal tell tones apart. */
const TONES = {
	// dark, light, high-contrast, no colour
	faint: ['90', '38;5;244', '37', '2'],
	strong: ['1', '1', '1;97', '1'],
	accent: ['36', '34', '1;96', ''],
	good: ['32', '38;5;28', '1;92', ''],
	warn: ['33', '38;5;130', '1;93', '1'],
	bad: ['31', '38;5;124', '1;91', '1'],
	person: ['1;97', '1;30', '1;97', ''],
	agent: ['36', '38;5;25', '1;96', ''],
	tool: ['94', '38;5;54', '1;95', ''],
	added: ['32', '38;5;28', '1;92', ''],
	removed: ['31', '38;5;124', '1;91', ''],
	code: ['37', '38;5;238', '97', ''],
	emphasis: ['3', '3', '3', '3'],
	found: ['30;43', '30;48;5;222', '1;30;103', '1;4'],
	selected: ['48;5;237', '48;5;254', '7', '7'],
	title: ['1;36', '1;34', '1;97', '1'],
	key: ['1;33', '1;38;5;130', '1;93', '1'],
} as const;
export type Tone = keyof typeof TONES;

const GLYPHS = {
	vertical: ['│', '|'],
	horizontal: ['─', '-'],
	expanded: ['▾', 'v'],
	collapsed: ['▸', '>'],
	more: ['…', '...'],
	bullet: ['•', '*'],
	ok: ['✓', '+'],
	failed: ['✗', 'x'],
	ask: ['⚠', '!'],
	question: ['?', '?'],
	prompt: ['❯', '>'],
	message: ['◆', '*'],
	working: ['●', '*'],
	waiting: ['◐', '!'],
	idle: ['○', 'o'],
	ended: ['■', '#'],
	todoOpen: ['☐', '[ ]'],
	todoDoing: ['◐', '[~]'],
	todoDone: ['☑', '[x]'],
	bar: ['█', '#'],
	barEmpty: ['░', '.'],
	branch: ['├ ', '|-'],
	lastBranch: ['└ ', '`-'],
} as const;
export type Glyphs = Readonly<Record<keyof typeof GLYPHS, string>>;

export type Styles = {
	/** `over` lies beneath it, such as the bar of a selected line. */
	paint(tone: Tone | undefined, text: string, over?: Tone): string;
	/** On the same line to this column, from 0, however wide the terminal takes the text before it to be. */
	column(at: number): string;
	readonly glyphs: Glyphs;
};

export type StyleOptions = { theme: ThemeName; colour: boolean; ascii: boolean };

export function createStyles({ theme, colour, ascii }: StyleOptions): Styles {
	const codes = pick(TONES, colour ? THEMES.indexOf(theme) : THEMES.length);
	return {
		paint(tone, text, over) {
			const code = [tone && codes[tone], over && codes[over]].filter(Boolean).join(';');
			return code && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text;
		},
		column: (at) => `\x1b[${at + 1}G`,
		glyphs: pick(GLYPHS, ascii ? 1 : 0),
	};
}

function pick<Name extends string>(table: Readonly<Record<Name, readonly string[]>>, at: number): Record<Name, string> {
	const picked = Object.entries<readonly string[]>(table).map(([name, values]) => [name, values[at] ?? '']);
	return Object.fromEntries(picked) as Record<Name, string>;
}

export function toStyleOptions(
	options: { theme?: string | undefined; ascii?: boolean | undefined },
	env: NodeJS.ProcessEnv,
): Result<StyleOptions> {
	const theme = THEMES.find((name) => name === (options.theme ?? 'dark'));
	if (!theme) return err(new AppError('usage', `--theme takes ${THEMES.join(', ')}; it was "${options.theme}".`));
	return ok({ theme, colour: !env.NO_COLOR, ascii: options.ascii === true || !showsGlyphs(env) });
}

/** The Linux console has few glyphs, and the C locale guarantees none. */
function showsGlyphs(env: NodeJS.ProcessEnv): boolean {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
	return env.TERM !== 'linux' && locale !== 'C' && locale !== 'POSIX';
}
