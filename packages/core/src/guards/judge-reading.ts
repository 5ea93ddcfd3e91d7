// Judges a shell line of an agent that may only read: every command must be in the table, and nothing may be hidden.

import { optionsThat } from '../commands/acting-table.ts';
import { onlyEdits, onlyPrints } from '../commands/scripts.ts';
import { type Arguments, findFlag, names, readArguments, readTable } from '../shell/flags.ts';
import { fixedValue, type GuardWord, mayBeFlag } from '../shell/guard-word.ts';
import { LOOP_VARIABLE } from '../shell/simple-commands.ts';
import { baseName } from '../shell/wrappers.ts';
import { withoutExec } from './find-actions.ts';
import { whyNotReading } from './git-reading.ts';
import { whyNotRoost } from './roost-reading.ts';
import { xxdOperands } from './special-writers.ts';
import type { Part, Setting, WalkedLine } from './walk-line.ts';

/** Why it may not run; undefined where it only reads. */
export function whyNotRead(line: WalkedLine): string | undefined {
	if (line.hidden ?? line.opaque) return `${line.hidden ?? line.opaque}. Write it as separate plain commands`;
	if (line.parts.length === 0) return 'there is no command in it';
	for (const part of line.parts) {
		const why = whyNotPart(part);
		if (why !== undefined) return why;
	}
	return undefined;
}

function whyNotPart(part: Part): string | undefined {
	if (part.writes.length > 0) return `it writes to ${part.writes[0]?.text ?? 'a file'} with a redirection`;
	const setting = part.settings.find((each) => !isHarmless(part, each));
	if (setting !== undefined) return `it sets ${setting.name}, which may change what a command does`;
	if (part.name === '') return undefined;
	if (part.name === 'git' && part.dirs.some(({ value, sure }) => value !== '' || sure !== 'fixed'))
		return 'git may run what another repository configured: run it where you are, without cd';
	const name = plainProgram(part);
	if (name === undefined) return `"${part.name ?? part.text}" must be written as the plain name of a program`;
	const rule = READING.get(name);
	if (rule !== undefined) return whyNotRule(name, rule, part.args);
	return SPECIAL.get(name)?.(part.args) ?? (SPECIAL.has(name) ? undefined : whyNotVersion(name, part.args));
}

/** The names of loop variables were checked before, and the rule for `read` checks its own. */
function isHarmless(part: Part, { name, value, named }: Setting): boolean {
	if (named) return true;
	if (name === 'IFS') return part.name === 'read';
	return part.name !== '' && HARMLESS_SETTINGS.has(name) && fixedValue(value) !== undefined;
}

/** A name that the system finds on the path, or the same in one of the system's own folders. */
function plainProgram({ name, plain }: Part): string | undefined {
	if (name === undefined || !plain) return undefined;
	return /^(?:\/usr)?\/bin\/[^/]+$/.test(name) ? baseName(name) : name.includes('/') ? undefined : name;
}

function whyNotRule(name: string, rule: ReadingRule, args: readonly GuardWord[]): string | undefined {
	if (rule.free) return undefined;
	const wraps = WRAPPING.has(name);
	const read = readArguments(args, wraps ? WRAPPER_TAKES : (rule.takes ?? names()), wraps);
	const open = wraps ? read.unsure : args.find((word) => fixedValue(word) === undefined && mayBeFlag(word));
	if (open !== undefined && !TESTS.has(name)) return `${open.text} may turn out to be an option of ${name}: write it out`;
	const bad = findBadFlag(rule, read, name);
	if (bad !== undefined) return `${name} ${bad} may write, run or set something`;
	if (!read.operands.every((word) => rule.shape?.test(fixedValue(word) ?? '') ?? true))
		return `${name} may change something in this form`;
	const many = read.operands.length > (rule.operands ?? Number.POSITIVE_INFINITY);
	if (many || (rule.operands !== undefined && read.operands.some((word) => fixedValue(word) === undefined)))
		return `${name} writes to its last operand`;
	if (name === 'read' && !read.operands.every((word) => LOOP_VARIABLE.test(fixedValue(word) ?? '')))
		return 'read may only set variables such as line or file';
	return undefined;
}

function findBadFlag({ refuse, only }: ReadingRule, read: Arguments, name: string): string | undefined {
	// A test has operators instead of options.
	if (TESTS.has(name)) return findFlag(read, refuse ?? [])?.name;
	const stranger = only && read.flags.find((flag) => !only.has(flag.name));
	return stranger?.name ?? findFlag(read, refuse ?? [])?.name;
}

const TESTS = names('test [');
const WRAPPING = names('timeout nice time env xargs command');
const WRAPPER_TAKES = names(
	'-k --kill-after -s --signal -n --adjustment --max-args -P --max-procs -I -L -d --delimiter -u --unset -f',
);

type Judge = (args: readonly GuardWord[]) => string | undefined;

const SPECIAL: ReadonlyMap<string, Judge> = new Map<string, Judge>([
	['git', (args) => (isVersion(args) ? undefined : whyNotReading(args))],
	['find', whyNotFind],
	['sed', whyNotSed],
	['awk', whyNotAwk],
	['gawk', whyNotAwk],
	['mawk', whyNotAwk],
	['printf', whyNotPrintf],
	['tar', whyNotTar],
	['xxd', whyNotXxd],
	['roost', whyNotRoost],
]);

function whyNotFind(args: readonly GuardWord[]): string | undefined {
	const own = withoutExec(args);
	const open = own.find((word) => fixedValue(word) === undefined && mayBeFlag(word));
	if (open !== undefined) return `${open.text} may turn out to be an action of find: quote it or write it out`;
	const stranger = own.find((word, at) => !isSearch(word) && fixedValue(own[at - 1]) !== '-perm');
	return stranger === undefined ? undefined : `find ${stranger.text} does more than find`;
}

function isSearch(word: GuardWord): boolean {
	const value = fixedValue(word) ?? '';
	return !/^-[^\d]/.test(value) || FIND_READING.has(value);
}

function whyNotSed(args: readonly GuardWord[]): string | undefined {
	const read = readArguments(args, names('-e --expression -l --line-length'));
	const allowed = names(
		'-e --expression -n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data',
	);
	const stranger = read.flags.find((flag) => !allowed.has(flag.name));
	if (stranger !== undefined) return `sed ${stranger.name} may change files`;
	if (read.unsure) return `${read.unsure.text} may turn out to be an option of sed: write it out`;
	const given = read.flags.flatMap((flag) => (flag.value === undefined ? [] : [flag.value]));
	const scripts = given.length > 0 ? given : read.operands.slice(0, 1);
	return scripts.every((script) => onlyEdits(fixedValue(script) ?? 'w'))
		? undefined
		: 'this sed script may write files or run commands; use plain p, d, q, s/…/…/';
}

function whyNotAwk(args: readonly GuardWord[]): string | undefined {
	const read = readArguments(args, names('-F --field-separator -v --assign'), true);
	const [program, ...files] = read.operands;
	if (read.unsure || read.flags.some(({ name }) => name !== '-F' && name !== '-v'))
		return 'this form of awk may write files or run commands';
	if (files.some((word) => mayBeFlag(word))) return 'an argument of awk is put together when it runs';
	return onlyPrints(fixedValue(program) ?? '|', false) ? undefined : 'this awk program may write files or run commands';
}

function whyNotPrintf([first]: readonly GuardWord[]): string | undefined {
	return first === undefined || mayBeFlag(first) || /^-./.test(fixedValue(first) ?? '')
		? 'printf must begin with its format'
		: undefined;
}

/** Only lists the content of an archive. */
function whyNotTar(args: readonly GuardWord[]): string | undefined {
	const [mode, ...files] = args.map(fixedValue);
	const lists = /^-?t[vzjJf]*$/.test(mode ?? '') && files.every((file) => file !== undefined && !file.startsWith('-'));
	return lists ? undefined : 'tar may only list an archive: tar -tf <archive>';
}

function whyNotXxd(args: readonly GuardWord[]): string | undefined {
	const operands = xxdOperands(args);
	const reads = operands !== undefined && operands.length < 2 && operands.every((word) => fixedValue(word) !== undefined);
	return reads ? undefined : 'xxd may write in this form: give it plain options and one file';
}

function whyNotVersion(name: string, args: readonly GuardWord[]): string | undefined {
	return ASKED_FOR_VERSION.has(name) && isVersion(args) ? undefined : `"${name}" is not on the list of commands that only read`;
}

function isVersion(args: readonly GuardWord[]): boolean {
	return args.length === 1 && VERSION_FLAGS.has(fixedValue(args[0]) ?? '');
}

/** Lists are names separated by blanks. */
type Row = {
	/** Nothing it can be given makes it write or run something. */
	free?: true;
	/** Options that do; a longer one also when it is shortened. */
	refuse?: string;
	/** If given, only these options pass. */
	only?: string;
	/** Options with a value. */
	takes?: string;
	/** Operands beyond these would be written to. */
	operands?: number;
	/** How every operand must look. */
	shape?: RegExp;
};

const FREE = `cat head tail wc ls cut tr nl tac rev od strings paste join fold fmt expand unexpand comm cmp diff column
	md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum basename dirname realpath readlink stat pwd
	whoami id groups uname nproc du df echo true false sleep seq expr which exit break continue ps free uptime tty :`;

const acting = (base: string) => optionsThat(['code', 'runs', 'loads', 'writes', 'makes'], base);

const ROWS: Record<string, Row> = {
	[FREE]: { free: true },
	// Some systems have other programs under these names, with options that run something.
	grep: { refuse: acting('grep') },
	egrep: { refuse: acting('egrep') },
	fgrep: { refuse: acting('fgrep') },
	jq: { refuse: acting('jq') },
	base64: { refuse: acting('base64') },
	cd: {},
	type: {},
	sort: { refuse: acting('sort') },
	uniq: { operands: 1, takes: '-f -s -w --skip-fields --skip-chars --check-chars' },
	hexdump: {},
	tree: { refuse: acting('tree') },
	file: { refuse: `${acting('file')} -z --uncompress -Z --uncompress-noreport` },
	date: { shape: /^\+/, only: '-u --utc -d --date -I --iso-8601 -R --rfc-email --rfc-3339 -r', takes: '-d --date -r' },
	hostname: { operands: 0, only: '-s -f -i -I' },
	rg: { refuse: `${acting('rg')} --search-zip -z` },
	fd: { refuse: '-x --exec -X --exec-batch -l --list-details' },
	test: { refuse: '-v -R' },
	'[': { refuse: '-v -R' },
	read: { only: '-r' },
	command: { only: '-v -V -p' },
	timeout: {},
	nice: {},
	time: {},
	env: { only: '-i -u --unset --ignore-environment' },
	xargs: { only: '-0 --null -r --no-run-if-empty -n --max-args -P --max-procs -I -L -d --delimiter -t' },
};

const READING = readTable(ROWS, ['refuse', 'only', 'takes']);
type ReadingRule = NonNullable<ReturnType<typeof READING.get>>;

/** Programs that are only asked for their version. */
const ASKED_FOR_VERSION = names(
	'node npm pnpm yarn bun deno npx tsc python python3 pip pip3 ruby cargo rustc go java javac git gcc clang make cmake docker',
);
const VERSION_FLAGS = names('--version -v -V -version version');

/** Set before a command, they change how it prints and nothing else. */
const HARMLESS_SETTINGS = names('LC_ALL LANG LC_CTYPE LC_COLLATE TZ NO_COLOR FORCE_COLOR COLUMNS CI');

/** Tests and actions of `find` that only read and print. */
const FIND_READING =
	names(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -ctime -cmin -atime
	-amin -newer -newermt -newerct -anewer -cnewer -perm -user -group -uid -gid -nouser -nogroup -empty -maxdepth -mindepth -depth
	-prune -print -print0 -printf -ls -quit -not -and -or -a -o -true -false -links -inum -samefile -readable -writable -executable
	-mount -xdev -follow -L -H -P -daystart -noleaf -lname -ilname -fstype -used -E -X`);
