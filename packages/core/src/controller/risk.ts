// The risk of a tool call, shown with its ask: low, medium or high.
import type { Risk } from '@roost/protocol/ask';
import type { ToolInput } from '@roost/protocol/feed/base';
import { normalisePath } from '../paths/normalise-path.ts';
import { mainArgument } from '../rules/subject.ts';
import { byName, names, namesBy } from '../shell/flags.ts';
import { type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { baseName, isWrapper } from '../shell/wrappers.ts';

/** `why` completes the sentence "high risk: …". */
export type AssessedRisk = { readonly risk: Risk; readonly why: string };

export function assessRisk(tool: string, input: ToolInput): Risk {
	return explainRisk(tool, input).risk;
}

export function explainRisk(tool: string, input: ToolInput): AssessedRisk {
	if (LOW.has(tool)) return low('this tool changes nothing');
	if (UNREAD_SHELLS.has(tool)) return high('Roost cannot read this language');
	const argument = mainArgument(tool, input);
	if (argument.kind === 'shell') return explainLine(argument.text);
	if (WRITERS.has(tool) && isSensitivePath(argument.text))
		return high(`"${argument.text}" is outside the project, or decides what runs or who may log in`);
	return medium('this tool can change something');
}

const low = (why: string): AssessedRisk => ({ risk: 'low', why });
const medium = (why: string): AssessedRisk => ({ risk: 'medium', why });
const high = (why: string): AssessedRisk => ({ risk: 'high', why });

/** Another language, or a piece of a line that is typed into a shell. */
const UNREAD_SHELLS = names('PowerShell BashInput');
const LOW = names(`Read Glob Grep LS NotebookRead TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput BashOutput
	AskUserQuestion WebSearch ToolSearch EnterPlanMode ExitPlanMode`);
const WRITERS = names('Write Edit MultiEdit NotebookEdit');

/** The highest risk of the commands in the line; an unreadable line is high. */
function explainLine(line: string): AssessedRisk {
	const shell = simpleCommands(line);
	if (!shell.parsed) return high('Roost cannot read this command line');
	const found = shell.commands.map((command) => explainCommand(command, shell.commands.length > 1));
	const highest = found.find(({ risk }) => risk === 'high') ?? found.find(({ risk }) => risk === 'medium');
	return highest ?? low('every part of it only reads');
}

function explainCommand(command: SimpleCommand, among: boolean): AssessedRisk {
	const loaded = command.assignments.find(isLoaded);
	if (command.name === undefined)
		return command.words.length > 0 || loaded !== undefined ? high(UNKNOWN_COMMAND) : medium('it sets a variable');
	const name = baseName(command.name);
	const args = command.words.slice(1);
	const written = command.writes.find(({ target }) => target === undefined || isSensitivePath(target));
	if (written)
		return high(written.target === undefined ? 'it writes to a file that it computes' : `it writes to "${written.target}"`);
	if (loaded !== undefined) return high(`${loaded} can change what the command runs`);
	if (isHigh(name, args)) return high(`"${name}" is dangerous${ALWAYS_HIGH.has(name) ? '' : ' with these arguments'}`);
	// An interpreter without a script reads its program from the pipe before it.
	if (INTERPRETERS.has(name) && among && args.every((arg) => arg.startsWith('-')))
		return high(`"${name}" may run a program that another part of the line prints`);
	if (isWrapper(command)) return explainWrapper(name, args);
	if (command.opaque !== undefined || command.writes.length > 0 || command.assignments.length > 0)
		return medium(`"${name}" writes a file, sets a variable, or has arguments that are not known before`);
	return READ_ONLY.has(name) || READ_ONLY_SUBCOMMANDS.get(name)?.has(args[0] ?? '')
		? low(`"${name}" only reads`)
		: medium(`"${name}" can change something`);
}

const UNKNOWN_COMMAND = 'which program it runs is not known before';

function isHigh(name: string, args: readonly string[]): boolean {
	return ALWAYS_HIGH.has(name) || (HIGH.get(name)?.(args) ?? false);
}

/** It is not known where a wrapper's options end: any tail of its arguments may be the command it runs, up to a limit. */
function explainWrapper(name: string, args: readonly string[]): AssessedRisk {
	const isHarmless =
		args.length <= MOST_TAILS &&
		HARMLESS_WRAPPERS.has(name) &&
		!args.some((arg, at) => isHigh(baseName(arg), args.slice(at + 1)));
	return isHarmless ? medium(`"${name}" runs another command`) : high(`"${name}" runs another command, which may be dangerous`);
}

const MOST_TAILS = 1_000;

/** Variables that make the next command run something else. */
function isLoaded(name: string): boolean {
	return /^(?:PATH|IFS|ENV|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHONPATH|PERL5OPT|GIT_.*)$/.test(name);
}

const ALWAYS_HIGH =
	names(`sudo doas su pkexec runuser eval source . exec trap dd mkfs shred wipefs fdisk parted mkswap mount umount chroot nsenter
	shutdown reboot halt poweroff systemctl launchctl service crontab at batch iptables nft useradd userdel usermod passwd visudo
	insmod modprobe rmmod kexec mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat killall pkill ssh scp sftp nc ncat socat telnet
	terraform kubectl helm alias unalias enable roost`);
const INTERPRETERS = names('sh bash dash zsh ksh fish python python2 python3 node deno bun perl ruby php osascript');
const HARMLESS_WRAPPERS = names('time timeout nice nohup command stdbuf env xargs');
const READ_ONLY =
	names(`ls cat head tail wc pwd echo printf true false test [ grep egrep fgrep rg ag file stat du df date whoami id uname hostname which
	type basename dirname realpath readlink sort uniq cut tr nl diff cmp comm tree find fd jq column seq sleep cd md5sum sha1sum
	sha256sum cksum strings od xxd hexdump fold expr uptime ps free locale tac rev paste join :`);
const READ_ONLY_SUBCOMMANDS = namesBy({
	git: 'status log diff show blame shortlog describe rev-parse ls-files ls-tree cat-file grep rev-list merge-base',
	npm: 'ls list view outdated --version -v',
	cargo: 'tree metadata --version',
	go: 'version env list',
	node: '--version -v',
	python3: '--version -V',
});

type Test = (args: readonly string[]) => boolean;

const isRecursive: Test = (args) => hasFlag(args, 'R', '--recursive');
const lastIsSensitive: Test = (args) => isSensitivePath(args.at(-1) ?? '');

const HIGH = byName<Test>({
	rm: (args) => hasFlag(args, 'rRf', '--recursive', '--force') || args.some(isSensitivePath),
	chmod: (args) => isRecursive(args) || args.some((arg) => /^0?777$|\+s|^[0-7]?[4-7][0-7]{3}$/.test(arg)),
	'chown chgrp': isRecursive,
	kill: (args) => args.includes('-1') || args.includes('1'),
	truncate: () => true,
	'cp mv ln install': lastIsSensitive,
	tee: (args) => args.some(isSensitivePath),
	cat: (args) => args.some((arg) => /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.netrc|shadow)(?:\/|$)/.test(arg)),
	sed: (args) => hasFlag(args, 'i', '--in-place') && args.some(isSensitivePath),
	git: isDangerousGit,
	'npm pnpm bun poetry uv': publishes,
	yarn: (args) => publishes(args) || (args[0] === 'npm' && publishes(args.slice(1))),
	cargo: (args) => args[0] === 'publish' || args[0] === 'yank',
	gem: (args) => args[0] === 'push' || args[0] === 'yank',
	twine: (args) => args[0] === 'upload',
	docker: (args) => args.some((arg) => /^(?:--privileged|push|prune)$/.test(arg)),
	gh: (args) => args.some((arg) => /^(?:delete|merge|api|secret|release)$/.test(arg)),
	find: (args) => args.some((arg) => /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/.test(arg)),
	'python python3 node perl ruby': runsText,
});

function hasFlag(args: readonly string[], letters: string, ...long: string[]): boolean {
	const short = new RegExp(`^-[A-Za-z]*[${letters}]`);
	return args.some((arg) => long.includes(arg) || short.test(arg));
}

function isDangerousGit(args: readonly string[]): boolean {
	const has = (...wanted: string[]) => args.some((arg) => wanted.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
	if (args[0]?.startsWith('-')) return true;
	if (args[0] === 'push')
		return has('--force', '-f', '--force-with-lease', '--delete', '-d', '--mirror') || args.some((arg) => /^[+:]/.test(arg));
	if (args[0] === 'reset') return has('--hard');
	if (args[0] === 'clean') return hasFlag(args, 'fdx', '--force');
	if (args[0] === 'branch') return has('-D');
	return (
		has('filter-branch', 'filter-repo', '--output') ||
		(args[0] === 'config' && args.length > 2) ||
		(args[0] === 'reflog' && has('expire', 'delete'))
	);
}

function publishes(args: readonly string[]): boolean {
	return /^(?:publish|unpublish|deprecate|dist-tag)$/.test(args[0] ?? '');
}

function runsText(args: readonly string[]): boolean {
	return args.some((arg) => /^(?:-[ceEp]|--eval|--print)$/.test(arg));
}

/** Files that decide what runs or who may log in, and places outside any project. */
function isSensitivePath(path: string): boolean {
	const normal = normalisePath(path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, '/home'));
	return normal.startsWith('..') || SYSTEM.test(normal) || SENSITIVE.test(normal);
}

const SYSTEM = /^\/(?:etc|usr|bin|sbin|lib|lib64|boot|dev|proc|sys|root|System|Library|Applications)(?:\/|$)/;
const SENSITIVE = new RegExp(
	`(?:^|/)(?:${[
		'\\.ssh|\\.gnupg|\\.aws|\\.kube|\\.docker|\\.config/gh|\\.claude|\\.codex|\\.pi|\\.copilot|\\.git|\\.husky|\\.github/(?:workflows|hooks)|LaunchAgents',
		'\\.(?:bash|zsh)(?:rc|_profile|env|_login|_logout)|\\.zprofile|\\.profile|\\.gitconfig|\\.npmrc|\\.pypirc|\\.netrc|\\.envrc',
		'\\.env(?:\\.[^/]*)?|authorized_keys|crontab|\\.mcp\\.json',
	].join('|')})(?:/|$)`,
);
