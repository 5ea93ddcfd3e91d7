// Which words of a command name files that it changes, as data; and the commands no agent needs for its work.
import { optionsThat } from '../commands/acting-table.ts';
import { names } from '../shell/flags.ts';

export type FileRule = {
	/** Which operands it changes. */
	operands: 'all' | 'first' | 'last' | 'none';
	/** Options with a value that is no file it changes. */
	takes?: ReadonlySet<string>;
	/** Options whose value is a file or folder it changes; with one of them, `last` means none. */
	into?: ReadonlySet<string>;
	/** Options that make it change all operands. */
	allWith?: ReadonlySet<string>;
	/** With one of these it changes nothing. */
	notWith?: ReadonlySet<string>;
	/** Its other words are looked at as those of any program. */
	leads?: true;
	/** Options that run something or lead elsewhere. */
	refuse?: ReadonlySet<string>;
	/** What it makes may be a link: always, or with one of these options. */
	links?: true | ReadonlySet<string>;
};

function run(base: string): ReadonlySet<string> {
	return optionsThat(['runs'], base);
}

function written(base: string, more = ''): ReadonlySet<string> {
	return new Set([...optionsThat(['writes'], base), ...names(more)]);
}

const ALL: FileRule = { operands: 'all' };
const COMPRESSOR: FileRule = { operands: 'all', notWith: names('-c --stdout --to-stdout -t --test -l --list') };
const GZIP: FileRule = { ...COMPRESSOR, takes: names('-S --suffix') };
const XZ: FileRule = { ...COMPRESSOR, takes: names('-S --suffix -T --threads') };
const ZSTD: FileRule = { ...COMPRESSOR, into: names('-o --output-dir-flat --output-dir-mirror') };

export const FILE_RULES: ReadonlyMap<string, FileRule> = new Map<string, FileRule>([
	['rm', ALL],
	['rmdir', ALL],
	['unlink', ALL],
	['shred', { operands: 'all', takes: names('-n --iterations -s --size') }],
	['mkdir', { operands: 'all', takes: names('-m --mode') }],
	['mkfifo', { operands: 'all', takes: names('-m --mode') }],
	['mknod', { operands: 'all', takes: names('-m --mode') }],
	['touch', { operands: 'all', takes: names('-d --date -r --reference -t --time') }],
	['truncate', { operands: 'all', takes: names('-s --size -r --reference') }],
	['tee', ALL],
	['mv', { operands: 'all', takes: names('-S --suffix'), into: names('-t --target-directory'), links: true }],
	['link', { operands: 'all', links: true }],
	[
		'cp',
		{
			operands: 'last',
			takes: names('-S --suffix'),
			into: names('-t --target-directory'),
			allWith: names('-l --link'),
			links: names('-P -d -a -r -R -l -s --no-dereference --archive --recursive --link --symbolic-link --preserve'),
		},
	],
	[
		'install',
		{
			operands: 'last',
			takes: names('-m --mode -o --owner -g --group -S --suffix'),
			into: names('-t --target-directory'),
			allWith: names('-d --directory'),
		},
	],
	[
		'rsync',
		{
			operands: 'last',
			takes: names('--exclude --include --exclude-from --include-from --files-from -f --filter'),
			into: written('rsync', '--backup-dir --partial-dir -T --temp-dir'),
			allWith: names('--remove-source-files --remove-sent-files'),
			refuse: run('rsync'),
			links: true,
		},
	],
	// Their first operand names no file, and as the name of one it leads nowhere.
	['chmod', { operands: 'all', takes: names('--reference') }],
	['chown', { operands: 'all', takes: names('--from --reference') }],
	['chgrp', { operands: 'all', takes: names('--reference') }],
	['chattr', ALL],
	['setfacl', { operands: 'all', takes: names('-m -x -M -X'), refuse: run('setfacl') }],
	[
		'sort',
		{
			operands: 'none',
			takes: names('-k --key -t --field-separator -S --buffer-size'),
			into: written('sort'),
			refuse: run('sort'),
		},
	],
	['split', { operands: 'last', takes: names('-a -b -l -n -C --bytes --lines --number'), refuse: run('split') }],
	['csplit', { operands: 'none', takes: names('-n'), into: names('-f --prefix -b --suffix-format') }],
	['uniq', { operands: 'last', takes: names('-f -s -w') }],
	['gzip', GZIP],
	['gunzip', GZIP],
	['bzip2', COMPRESSOR],
	['bunzip2', COMPRESSOR],
	['xz', XZ],
	['unxz', XZ],
	['zstd', ZSTD],
	[
		'unzip',
		{
			operands: 'none',
			takes: names('-x -P'),
			into: names('-d'),
			notWith: names('-l -t -p -Z'),
			refuse: run('unzip'),
			links: true,
		},
	],
	[
		'zip',
		{
			operands: 'all',
			takes: names('-x -i -n'),
			into: written('zip', '-b --temp-path'),
			refuse: run('zip'),
		},
	],
	[
		'patch',
		{
			operands: 'all',
			takes: names('-p --strip -i --input -F --fuzz'),
			into: names('-o --output -d --directory -r --reject-file -B'),
			links: true,
		},
	],
	[
		'curl',
		{
			operands: 'none',
			takes: names(
				'-H -d -X -A -b -e -u -m -F -w --write-out -x --data --header --request --data-raw --data-binary --url --connect-timeout --max-time --retry',
			),
			into: written('curl'),
			refuse: run('curl'),
		},
	],
	[
		'wget',
		{
			operands: 'none',
			takes: names('-T -t -U --header --post-data --user --password --timeout --tries'),
			into: written('wget'),
			refuse: run('wget'),
		},
	],
	[
		'make',
		{
			operands: 'none',
			leads: true,
			takes: names('-o -W'),
			into: names('-C --directory -f --file --makefile'),
			refuse: run('make'),
		},
	],
	['npm', { operands: 'none', leads: true, into: names('--prefix -C') }],
	['pnpm', { operands: 'none', leads: true, into: names('-C --dir') }],
	['yarn', { operands: 'none', leads: true, into: names('--cwd') }],
	['cargo', { operands: 'none', leads: true, into: names('-C --target-dir --manifest-path --root') }],
	['go', { operands: 'none', leads: true, into: names('-C') }],
	['pytest', { operands: 'none', leads: true, into: names('--basetemp --rootdir') }],
	['tree', { operands: 'none', takes: names('-L -P -I --filelimit'), into: written('tree') }],
	['man', { operands: 'none', refuse: run('man') }],
	['less', { operands: 'none', into: written('less'), refuse: run('less') }],
	['fd', { operands: 'none', refuse: names('-x --exec -X --exec-batch') }],
	['rg', { operands: 'none', takes: names('-e --regexp -g --glob'), refuse: run('rg') }],
	['source', { operands: 'first' }],
	['.', { operands: 'first' }],
	['bash', { operands: 'first', notWith: names('-c --version --help'), takes: names('-o -O') }],
	['sh', { operands: 'first', notWith: names('-c --version --help'), takes: names('-o') }],
	['zsh', { operands: 'first', notWith: names('-c --version --help'), takes: names('-o') }],
]);

/** Programs that only read, so that it does not matter where. */
export const ONLY_READS = names(
	[
		'cat head tail wc ls grep egrep fgrep rg cut tr nl tac rev od strings paste join fold fmt comm cmp diff column md5sum sha1sum sha256sum',
		'sha512sum cksum base64 basename dirname realpath readlink stat file pwd whoami id uname nproc du df echo printf true false : sleep seq expr',
		'jq which type command test [ date hostname ps free uptime lsof hexdump tree fd xxd exit break continue return read wait jobs cd pushd popd set',
		'export unset local declare readonly typeset shift umask env timeout nice time nohup xargs find sed awk gawk mawk exec eval less more man',
	].join(' '),
);

/** Why nobody needs them in a worktree of their own. */
export const NEVER: ReadonlyMap<string, string> = new Map<string, string>([
	...each('sudo su doas pkexec runuser chroot unshare nsenter setpriv', 'it changes who you are'),
	...each('mount umount mkfs fdisk parted losetup swapon swapoff insmod modprobe rmmod sysctl', 'it changes this machine'),
	...each('shutdown reboot halt poweroff systemctl service launchctl initctl crontab loginctl', 'it changes this machine'),
	...each('useradd userdel usermod groupadd passwd chsh visudo chpasswd', 'it changes this machine'),
	...each('pkill killall skill fuser xkill', 'it may end processes that are not yours; use kill %1 or kill $!'),
	...each('ssh scp sftp mosh telnet nc ncat socat ftp rclone', 'it reaches other machines'),
	...each('vi vim nvim view ed ex emacs nano pico', 'nobody is there to use it; change files with your tools for that'),
	...each('tmux screen', 'other agents work in those terminals'),
	...each('claude codex copilot gemini aider opencode cursor-agent goose claude-code', 'it starts an agent that nobody guards'),
]);

function each(list: string, why: string): [string, string][] {
	return list.split(' ').map((name) => [name, why]);
}

/** Sub-commands that publish, or change things for everybody on this machine. */
export const PUBLISHING: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries({
		npm: 'publish unpublish login adduser owner deprecate dist-tag access token',
		pnpm: 'publish login',
		yarn: 'publish npm',
		bun: 'publish',
		cargo: 'publish yank login owner install uninstall',
		gem: 'push yank owner signin',
		twine: 'upload register',
		poetry: 'publish config',
		uv: 'publish',
		docker: 'push login',
		podman: 'push login',
		gh: 'pr_create pr_merge pr_close pr_edit issue_close repo release auth secret ssh-key gpg-key api workflow run alias extension config',
	}).map(([name, subs]) => [name, names(subs)]),
);
