// How much harm a shell line could do, judged by each command in it; what cannot be read is taken for the worst.
import type { Risk } from '@roost/protocol/ask';
import { type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { baseName, isWrapper } from '../shell/wrappers.ts';
import { isSensitivePath } from './sensitive-path.ts';

export function assessShellRisk(line: string): Risk {
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

/** Where a wrapper's options end is not known here: any tail of its arguments may be the command it runs, as long as that can be tried. */
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

const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

const ALWAYS_HIGH = words(
	'sudo doas su pkexec runuser eval source . exec trap dd mkfs shred wipefs fdisk parted mkswap mount umount chroot nsenter',
	'shutdown reboot halt poweroff systemctl launchctl service crontab at batch iptables nft useradd userdel usermod passwd visudo',
	'insmod modprobe rmmod kexec mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat killall pkill ssh scp sftp nc ncat socat telnet',
	'terraform kubectl helm alias unalias enable roost',
);
const INTERPRETERS = words('sh bash dash zsh ksh fish python python2 python3 node deno bun perl ruby php osascript');
const HARMLESS_WRAPPERS = words('time timeout nice nohup command stdbuf env xargs');
const READ_ONLY = words(
	'ls cat head tail wc pwd echo printf true false test [ grep egrep fgrep rg ag file stat du df date whoami id uname hostname which',
	'type basename dirname realpath readlink sort uniq cut tr nl diff cmp comm tree find fd jq column seq sleep cd md5sum sha1sum',
	'sha256sum cksum strings od xxd hexdump fold expr uptime ps free locale tac rev paste join :',
);
// Maps, because the name of a command may be that of a property every object has.
const READ_ONLY_SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries({
		git: words('status log diff show blame shortlog describe rev-parse ls-files ls-tree cat-file grep rev-list merge-base'),
		npm: words('ls list view outdated --version -v'),
		cargo: words('tree metadata --version'),
		go: words('version env list'),
		node: words('--version -v'),
		python3: words('--version -V'),
	}),
);

type Test = (args: readonly string[]) => boolean;

const HIGH: ReadonlyMap<string, Test> = new Map(
	Object.entries<Test>({
		rm: (args) => hasFlag(args, 'rRf', '--recursive', '--force') || args.some(isSensitivePath),
		chmod: (args) => hasFlag(args, 'R', '--recursive') || args.some((arg) => /^0?777$|\+s|^[0-7]?[4-7][0-7]{3}$/.test(arg)),
		chown: (args) => hasFlag(args, 'R', '--recursive'),
		chgrp: (args) => hasFlag(args, 'R', '--recursive'),
		kill: (args) => args.includes('-1') || args.includes('1'),
		truncate: () => true,
		cp: (args) => isSensitivePath(args.at(-1) ?? ''),
		mv: (args) => isSensitivePath(args.at(-1) ?? ''),
		ln: (args) => isSensitivePath(args.at(-1) ?? ''),
		tee: (args) => args.some(isSensitivePath),
		install: (args) => isSensitivePath(args.at(-1) ?? ''),
		cat: (args) => args.some((arg) => /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.netrc|shadow)(?:\/|$)/.test(arg)),
		sed: (args) => hasFlag(args, 'i', '--in-place') && args.some(isSensitivePath),
		git: isDangerousGit,
		npm: publishes,
		pnpm: publishes,
		yarn: (args) => publishes(args) || (args[0] === 'npm' && publishes(args.slice(1))),
		bun: publishes,
		cargo: (args) => args[0] === 'publish' || args[0] === 'yank',
		gem: (args) => args[0] === 'push' || args[0] === 'yank',
		twine: (args) => args[0] === 'upload',
		poetry: publishes,
		uv: publishes,
		docker: (args) => args.some((arg) => arg === '--privileged' || arg === 'push' || arg === 'prune'),
		gh: (args) =>
			args.some((arg) => arg === 'delete' || arg === 'merge' || arg === 'api' || arg === 'secret' || arg === 'release'),
		find: (args) => args.some((arg) => /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/.test(arg)),
		python: runsText,
		python3: runsText,
		node: runsText,
		perl: runsText,
		ruby: runsText,
	}),
);

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
	return args[0] === 'publish' || args[0] === 'unpublish' || args[0] === 'deprecate' || args[0] === 'dist-tag';
}

function runsText(args: readonly string[]): boolean {
	return args.some((arg) => /^(?:-[ceEp]|--eval|--print)$/.test(arg));
}
