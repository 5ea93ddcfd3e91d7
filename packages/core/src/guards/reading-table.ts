// The commands that agents who only read may use, as data, with what makes them write or run something.
import { optionsThat } from '../commands/acting-table.ts';
import { names, readTable } from '../shell/flags.ts';

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

export const READING = readTable(ROWS, ['refuse', 'only', 'takes']);
export type ReadingRule = NonNullable<ReturnType<typeof READING.get>>;

/** Programs that are only asked for their version. */
export const ASKED_FOR_VERSION = names(
	'node npm pnpm yarn bun deno npx tsc python python3 pip pip3 ruby cargo rustc go java javac git gcc clang make cmake docker',
);
export const VERSION_FLAGS = names('--version -v -V -version version');

/** Set before a command, they change how it prints and nothing else. */
export const HARMLESS_SETTINGS = names('LC_ALL LANG LC_CTYPE LC_COLLATE TZ NO_COLOR FORCE_COLOR COLUMNS CI');

/** What `find` may look at and print. */
export const FIND_READING =
	names(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -ctime -cmin -atime
	-amin -newer -newermt -newerct -anewer -cnewer -perm -user -group -uid -gid -nouser -nogroup -empty -maxdepth -mindepth -depth
	-prune -print -print0 -printf -ls -quit -not -and -or -a -o -true -false -links -inum -samefile -readable -writable -executable
	-mount -xdev -follow -L -H -P -daystart -noleaf -lname -ilname -fstype -used -E -X`);
