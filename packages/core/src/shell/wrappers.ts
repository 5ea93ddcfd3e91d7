// Commands that run another command given as their arguments: a rule for the inner command does not cover them. The one table of
// them, for rules and guards; `guards/unwrap` reads the words of those whose inner command can be found.
import { byName, names, namesBy } from './flags.ts';
import type { SimpleCommand } from './simple-commands.ts';

/** Whether a command, given by its words without quotes, runs another one. */
export function runsOthers(words: readonly string[]): boolean {
	return runningWords(words).length > 0;
}

/** Whether only its inner command matters. */
export function isWrapper({ name = '', words }: SimpleCommand): boolean {
	return WRAPPERS.has(baseName(name)) || actionWords(baseName(name), words).length > 0;
}

export function runningWords(words: readonly string[]): string[] {
	const [first = ''] = words;
	const name = withoutGnuPrefix(baseName(first));
	if (WRAPPERS.has(name) || PACKAGE_RUNNERS.has(name) || LOADER.test(name)) return [first];
	return [...actionWords(name, words), ...subcommandWords(name, words)];
}

/** Shells whose language is parsed here, or close to it. */
export const SHELLS = names('sh bash dash zsh ksh mksh ash');

export function baseName(name: string): string {
	return name.slice(name.lastIndexOf('/') + 1);
}

/** Without the letter that GNU's programs get on systems with others of their own. */
export function withoutGnuPrefix(base: string): string {
	return GNU.test(base) ? base.slice(1) : base;
}

const GNU = /^g(?:find|xargs|env|timeout|nice|nohup|stdbuf|sort|tar|sed|awk|date|split|uniq|shuf)$/;

const WRAPPERS = names(
	`eval source . exec command builtin trap env xargs parallel sudo doas su runuser pkexec chroot unshare nsenter setpriv
	sh bash dash zsh ksh mksh ash fish csh tcsh busybox toybox script expect ssh mosh watch entr time timeout gtimeout nohup
	nice ionice chrt taskset setsid stdbuf unbuffer flock strace ltrace gdb lldb rlwrap caffeinate systemd-run at batch noglob nocorrect
	prlimit valgrind setarch linux32 linux64 numactl cgexec runcon capsh fakeroot firejail bwrap proot start-stop-daemon faketime torsocks sg`,
);

/** The system's program loader, which runs its argument. */
const LOADER = /^ld(?:-linux[\w.-]*)?\.so[\d.]*$/;

/** They fetch a package and run a program of it, or any other. */
const PACKAGE_RUNNERS = names('npx bunx pnpx uvx');

/** Commands that run others by one of these subcommands. */
const SUBCOMMANDS = namesBy({
	npm: 'exec x explore',
	'pnpm yarn': 'exec dlx',
	bun: 'x',
	'uv poetry pipenv pipx': 'run',
	'bundle direnv': 'exec',
	mise: 'exec x',
});

function subcommandWords(name: string, [, ...args]: readonly string[]): string[] {
	const subcommands = SUBCOMMANDS.get(name);
	if (subcommands === undefined) return [];
	// Which options before it take a value is not known here: a word behind one may be its value, or the subcommand.
	const end = args.findIndex((word, at) => !word.startsWith('-') && !/^-[^=]*$/.test(args[at - 1] ?? ''));
	return args.slice(0, end < 0 ? args.length : end + 1).filter((word) => subcommands.has(word));
}

type Actions = {
	words: string;
	/** One-letter options among them, which may be joined with others and with their value. */
	letters?: string;
	/** One-letter options whose value is the rest of the word. */
	valued?: string;
};

/** Ordinary commands until one of these arguments makes them run or destroy something. */
const ACTIONS = byName<Actions>({
	find: { words: '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls' },
	'fd fdfind': { words: '--exec --exec-batch', letters: 'xX', valued: 'dteEScjoC' },
});

function actionWords(name: string, [, ...args]: readonly string[]): string[] {
	const actions = ACTIONS.get(name);
	return actions === undefined ? [] : args.filter((word) => isAction(actions, word));
}

function isAction({ words, letters = '', valued = '' }: Actions, word: string): boolean {
	if (names(words).has(word.split('=', 1)[0] ?? '')) return true;
	const [, ...cluster] = /^-[^-]/.test(word) ? word : '';
	const first = cluster.find((letter) => letters.includes(letter) || valued.includes(letter));
	return first !== undefined && letters.includes(first);
}
