// The risk of a tool call, shown with its ask: low, medium or high.
import type { Risk } from '@roost/protocol/ask';
import type { ToolInput } from '@roost/protocol/feed/base';
import { normalisePath } from '../paths/normalise-path.ts';
import { mainArgument } from '../rules/subject.ts';
import { byName, names, namesBy } from '../shell/flags.ts';
import { type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { baseName, isWrapper } from '../shell/wrappers.ts';

export function assessRisk(tool: string, input: ToolInput): Risk {
	if (LOW.has(tool)) return 'low';
	if (UNREAD_SHELLS.has(tool)) return 'high';
	const argument = mainArgument(tool, input);
	if (argument.kind === 'shell') return assessShellRisk(argument.text);
	if (WRITERS.has(tool) && isSensitivePath(argument.text)) return 'high';
	return 'medium';
}

/** Another language, or a piece of a line that is typed into a shell. */
const UNREAD_SHELLS = names('PowerShell BashInput');
const LOW = names(`Read Glob Grep LS NotebookRead TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput BashOutput
	AskUserQuestion WebSearch ToolSearch EnterPlanMode ExitPlanMode`);
const WRITERS = names('Write Edit MultiEdit NotebookEdit');

/** The highest risk of the commands in the line; an unreadable line is high. */
function assessShellRisk(line: string): Risk {
	const shell = simpleCommands(line);
	if (!shell.parsed) return 'high';
	const risks = shell.commands.map((command) => assessCommand(command, shell.commands.length > 1));
	if (risks.includes('high')) return 'high';
	return risks.includes('medium') ? 'medium' : 'low';
}

function assessCommand(command: SimpleCommand, among: boolean): Risk {
	if (command.name === undefined) return command.words.length > 0 || command.assignments.some(isLoaded) ? 'high' : 'medium';
	const name = baseName(command.name);
	const args = command.words.slice(1);
	if (command.writes.some(({ target }) => target === undefined || isSensitivePath(target))) return 'high';
	if (command.assignments.some(isLoaded) || isHigh(name, args)) return 'high';
	// An interpreter without a script reads its program from the pipe before it.
	if (INTERPRETERS.has(name) && among && args.every((arg) => arg.startsWith('-'))) return 'high';
	if (isWrapper(command)) return assessWrapper(name, args);
	if (command.opaque !== undefined || command.writes.length > 0 || command.assignments.length > 0) return 'medium';
	return READ_ONLY.has(name) || READ_ONLY_SUBCOMMANDS.get(name)?.has(args[0] ?? '') ? 'low' : 'medium';
}

function isHigh(name: string, args: readonly string[]): boolean {
	return ALWAYS_HIGH.has(name) || (HIGH.get(name)?.(args) ?? false);
}

/** It is not known where a wrapper's options end: any tail of its arguments may be the command it runs, up to a limit. */
function assessWrapper(name: string, args: readonly string[]): Risk {
	if (args.length > MOST_TAILS) return 'high';
	const harmless = HARMLESS_WRAPPERS.has(name) && !args.some((arg, at) => isHigh(baseName(arg), args.slice(at + 1)));
	return harmless ? 'medium' : 'high';
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
