// Finds the inner command of commands that run another one.

import { findFlag, names, readArguments, readTable } from '../shell/flags.ts';
import { fixedValue, type GuardWord, open, openWord } from '../shell/guard-word.ts';
import { baseName, runsOthers, SHELLS } from '../shell/wrappers.ts';
import { isUsualOption } from './builtins.ts';
import { findExec } from './find-actions.ts';

export type Inner =
	/** Words that are run as a command, without the assignments before it. `again`: perhaps more than once. */
	| { kind: 'command'; words: readonly GuardWord[]; settings: readonly { name: string; value: GuardWord }[]; again?: true }
	/** A whole line; `here`: in the same shell. */
	| { kind: 'line'; text: string; here: boolean }
	| { kind: 'hidden'; why: string };

/** Empty for commands that run no other. `input`: its certain input, where that counts as a line. */
export function unwrap(name: string, args: readonly GuardWord[], input?: string): readonly Inner[] {
	const base = baseName(name);
	const simple = SIMPLE.get(base);
	if (simple !== undefined) return unwrapSimple(simple, args);
	const runner = RUNNERS.get(base);
	if (runner?.words?.has(fixedValue(args[0]) ?? '')) return unwrapSimple(runner, args.slice(1));
	if (SHELLS.has(base)) return unwrapShell(args, input);
	switch (base) {
		case 'env':
			return unwrapEnv(args);
		case 'eval':
			return unwrapEval(args);
		case 'xargs':
			return unwrapXargs(args);
		case 'find':
			return unwrapFind(args);
		case 'command':
			return findFlag(readArguments(args, names(), true), ['-v', '-V']) ? [] : unwrapSimple({}, args);
		case 'ssh':
			return unwrapSsh(args);
		case 'source':
		case '.':
			// A file, which is no other program.
			return [];
		default:
			return unwrapOther(base, args);
	}
}

/** A command that runs others according to the rules, and is not unwrapped here, hides them. */
function unwrapOther(base: string, args: readonly GuardWord[]): readonly Inner[] {
	const hides = HIDERS.has(base) || runsOthers([base, ...args.map((word) => fixedValue(word) ?? '')]);
	return hides ? [hidden(`"${base}" runs other commands in a way that cannot be judged`)] : [];
}

/** Lists are names separated by blanks. */
type Row = {
	/** Options with a value. */
	takes?: string;
	/** Operands before the command. */
	skip?: number;
	/** Its own options that hide or write something. */
	refuse?: string;
	/** If given, only these and those with a value are understood. */
	flags?: string;
};

const ROWS: Record<string, Row> = {
	'timeout gtimeout': { takes: '-k --kill-after -s --signal', skip: 1 },
	nice: { takes: '-n --adjustment' },
	ionice: { takes: '-c --class -n --classdata', refuse: '-p --pid -P --pgid -u --uid' },
	'nohup setsid builtin noglob nocorrect busybox toybox unbuffer valgrind': {},
	exec: { takes: '-a' },
	time: { takes: '-f --format', refuse: '-o --output -a --append' },
	stdbuf: { takes: '-i --input -o --output -e --error' },
	prlimit: { takes: '-p --pid' },
	sudo: {
		takes: '-u --user -g --group -p --prompt',
		flags: '-n --non-interactive -E --preserve-env -H --set-home -S --stdin -k',
	},
	doas: { takes: '-u -C', flags: '-n' },
	taskset: { skip: 1, flags: '-a -c' },
	'npx bunx pnpx': {
		takes: '-p --package -w --workspace',
		flags: '-y --yes --no --no-install -q --quiet --silent --bun --parallel -r --recursive',
	},
	uvx: { takes: '--from --with -p --python', flags: '-q --quiet' },
};

const SIMPLE = readTable(ROWS, ['takes', 'refuse', 'flags']);
type Simple = NonNullable<ReturnType<typeof SIMPLE.get>>;

/** Package managers and environments: the words after which they run a command, and how their options are read. */
const RUN_ROWS: Record<string, Row & { words: string }> = {
	'npm pnpm yarn bun': { ...ROWS['npx bunx pnpx'], words: 'exec x dlx' },
	'uv poetry pipenv pipx': {
		words: 'run',
		takes: '--with --python -p --extra --group --env-file',
		flags: '-q --quiet --frozen --locked --no-sync --isolated --all-extras --dev --no-dev',
	},
	bundle: { words: 'exec', flags: '' },
};

const RUNNERS = readTable(RUN_ROWS, ['words', 'takes', 'refuse', 'flags']);

/** In addition to those of the rules: they change the meaning of later names. */
const HIDERS = names(
	'coproc alias enable hash bind complete direnv shopt compgen fc history integer float vared zmodload autoload',
);

function unwrapSimple(
	{ takes = names(), skip = 0, refuse = names(), flags }: Simple,
	args: readonly GuardWord[],
): readonly Inner[] {
	const read = readArguments(args, takes, true);
	const unsure = read.unsure ?? read.operands.slice(0, skip).find((word) => word.many);
	if (unsure) return [hidden(`${unsure.text} hides the command that is run`)];
	const bad = findFlag(read, refuse) ?? read.flags.find(({ name }) => flags && !flags.has(name) && !takes.has(name));
	if (bad) return [hidden(`its option ${bad.name} hides what it does`)];
	return read.operands.length > skip ? [command(read.operands.slice(skip))] : [];
}

/** With `-c` a line, otherwise a script in a file, whose name is an operand; without either it reads commands from its input. */
function unwrapShell(args: readonly GuardWord[], input: string | undefined): readonly Inner[] {
	const read = readArguments(args, names('-o'), true);
	if (read.unsure) return [hidden(`${read.unsure.text} hides what the shell runs`)];
	if (!read.flags.every(({ name, value }) => SHELL_FLAGS.has(name) && (name !== '-o' || isUsualOption(value))))
		return [hidden('the shell reads commands that the line does not show, or reads them in another way')];
	// A dash alone only ends the options.
	const [first] = fixedValue(read.operands[0]) === '-' ? read.operands.slice(1) : read.operands;
	if (findFlag(read, ['--version', '--help'])) return [];
	if (first === undefined && input !== undefined) return [{ kind: 'line', text: input, here: false }];
	if (first === undefined) return [hidden('the shell reads commands from its input')];
	if (!read.flags.some((flag) => flag.name === '-c')) return [];
	const text = fixedValue(first);
	return [text === undefined ? hidden('what the shell runs is put together when it runs') : { kind: 'line', text, here: false }];
}

/** Other options change the values of patterns and words. */
const SHELL_FLAGS = names('-c -e -u -x -v -f -l -i -o --login --norc --noprofile --version --help');

/** The words behind the host are a line for the shell there. */
function unwrapSsh(args: readonly GuardWord[]): readonly Inner[] {
	const read = readArguments(args, SSH_TAKES, true);
	const texts = read.operands.slice(1).map(fixedValue);
	if (read.unsure || texts.length === 0 || texts.some((text) => text === undefined))
		return [hidden('the command on the other machine is unclear')];
	return [{ kind: 'line', text: texts.join(' '), here: false }];
}

const SSH_TAKES = names('-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w');

function unwrapEnv(args: readonly GuardWord[]): readonly Inner[] {
	const read = readArguments(args, names('-u --unset'), true);
	if (!read.flags.every(({ name }) => ENV_FLAGS.has(name)))
		return [hidden('env splits a string, runs elsewhere or uses another name')];
	const settings: { name: string; value: GuardWord }[] = [];
	for (const [at, word] of read.operands.entries()) {
		if (fixedValue(word) === '-') continue;
		const named = /^([^=]+)=/.exec(word.forms[0]?.value ?? '')?.[1];
		if (word.many || (named === undefined && fixedValue(word) === undefined))
			return [hidden(`${word.text} hides the command that is run`)];
		if (named === undefined) return [command(read.operands.slice(at), settings)];
		settings.push({ name: named, value: valueAfter(word, named) });
	}
	return settings.length > 0 ? [command([], settings)] : [];
}

const ENV_FLAGS = names('-u --unset -i --ignore-environment -0 --null -v --debug');

function valueAfter(word: GuardWord, name: string): GuardWord {
	const forms = word.forms.map((form) => ({ ...form, value: form.value.slice(name.length + 1) }));
	return { text: word.text, forms };
}

function unwrapEval(args: readonly GuardWord[]): readonly Inner[] {
	const texts = args.map(fixedValue);
	if (texts.some((text) => text === undefined)) return [hidden('what eval runs is put together when it runs')];
	return [{ kind: 'line', text: texts.join(' '), here: true }];
}

const XARGS_TAKES = names('-a --arg-file -d --delimiter -E -I -J -L -n --max-args -P --max-procs -s --max-chars');
/** Other options may or may not take the next word as their value. */
const XARGS_FLAGS = new Set([...XARGS_TAKES, ...names('-0 --null -r --no-run-if-empty -t --verbose -x --exit -o --replace')]);
/** Of these the last one counts. */
const XARGS_PLACING = names('-I -J -L -n --max-args --replace');

/** Its input is appended to the command, or replaces a word in it. */
function unwrapXargs(args: readonly GuardWord[]): readonly Inner[] {
	const read = readArguments(args, XARGS_TAKES, true);
	if (read.unsure) return [hidden(`${read.unsure.text} hides the command that xargs runs`)];
	const bad = read.flags.find((flag) => !XARGS_FLAGS.has(flag.name));
	if (bad !== undefined) return [hidden(`xargs ${bad.name} hides what it does`)];
	if (read.operands.length === 0) return [];
	const place = findFlag(read, ['-I', '--replace', '-J']);
	if (place === undefined) return [again([...read.operands, openWord('what xargs reads')])];
	const mark = place.name === '--replace' && place.value === undefined ? '{}' : fixedValue(place.value);
	if (!mark || read.flags.filter((flag) => XARGS_PLACING.has(flag.name)).length > 1)
		return [hidden('the placeholder of xargs is unclear')];
	return [again(read.operands.map((word) => placed(word, mark)))];
}

/** How it begins is certain up to the mark. A word that is not known may hold the mark too. */
function placed(word: GuardWord, mark: string): GuardWord {
	const value = fixedValue(word);
	if (value === undefined) return openWord(word.text);
	return value.includes(mark) ? { text: word.text, forms: [open(value.slice(0, value.indexOf(mark)))] } : word;
}

function unwrapFind(args: readonly GuardWord[]): readonly Inner[] {
	const found = findExec(args);
	return 'why' in found ? [hidden(found.why)] : found.commands.map(again);
}

function again(words: readonly GuardWord[]): Inner {
	return { ...command(words), again: true };
}

function command(
	words: readonly GuardWord[],
	settings: readonly { name: string; value: GuardWord }[] = [],
): Extract<Inner, { kind: 'command' }> {
	return { kind: 'command', words, settings };
}

function hidden(why: string): Inner {
	return { kind: 'hidden', why };
}
