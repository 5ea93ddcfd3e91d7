// Which words of a command name files that it changes, as data; and the commands no agent needs for its work.
import { optionsThat } from '../commands/acting-table.ts';
import { byName, names, namesBy, readTable } from '../shell/flags.ts';

/** Lists are names separated by blanks. */
type Row = {
	/** Which operands it changes. */
	operands: 'all' | 'first' | 'last' | 'none';
	/** Options with a value that is no file it changes. */
	takes?: string;
	/** Options whose value is a file or folder it changes; with one of them, `last` means none. */
	into?: string;
	/** Options that make it change all operands. */
	allWith?: string;
	/** With one of these it changes nothing. */
	notWith?: string;
	/** Its other words are judged like those of any program. */
	leads?: true;
	/** Options that run something or write elsewhere. */
	refuse?: string;
	/** What it makes may be a link: always, or with one of these options. */
	links?: true | string;
};

const run = (base: string) => optionsThat(['runs'], base);
const written = (base: string) => optionsThat(['writes'], base);

const COMPRESSOR: Row = { operands: 'all', notWith: '-c --stdout --to-stdout -t --test -l --list' };

const ROWS: Record<string, Row> = {
	'rm rmdir unlink': { operands: 'all' },
	shred: { operands: 'all', takes: '-n --iterations -s --size' },
	'mkdir mkfifo mknod': { operands: 'all', takes: '-m --mode' },
	touch: { operands: 'all', takes: '-d --date -r --reference -t --time' },
	truncate: { operands: 'all', takes: '-s --size -r --reference' },
	tee: { operands: 'all' },
	mv: { operands: 'all', takes: '-S --suffix', into: '-t --target-directory', links: true },
	link: { operands: 'all', links: true },
	cp: {
		operands: 'last',
		takes: '-S --suffix',
		into: '-t --target-directory',
		allWith: '-l --link',
		links: '-P -d -a -r -R -l -s --no-dereference --archive --recursive --link --symbolic-link --preserve',
	},
	install: {
		operands: 'last',
		takes: '-m --mode -o --owner -g --group -S --suffix',
		into: '-t --target-directory',
		allWith: '-d --directory',
	},
	rsync: {
		operands: 'last',
		takes: '--exclude --include --exclude-from --include-from --files-from -f --filter',
		into: `${written('rsync')} --backup-dir --partial-dir -T --temp-dir`,
		allWith: '--remove-source-files --remove-sent-files',
		refuse: run('rsync'),
		links: true,
	},
	// Their first operand is a mode or an owner, which is harmless as a file name.
	chmod: { operands: 'all', takes: '--reference' },
	chown: { operands: 'all', takes: '--from --reference' },
	chgrp: { operands: 'all', takes: '--reference' },
	chattr: { operands: 'all' },
	setfacl: { operands: 'all', takes: '-m -x -M -X', refuse: run('setfacl') },
	sort: { operands: 'none', takes: '-k --key -t --field-separator -S --buffer-size', into: written('sort'), refuse: run('sort') },
	split: { operands: 'last', takes: '-a -b -l -n -C --bytes --lines --number', refuse: run('split') },
	csplit: { operands: 'none', takes: '-n', into: '-f --prefix -b --suffix-format' },
	uniq: { operands: 'last', takes: '-f -s -w' },
	'gzip gunzip': { ...COMPRESSOR, takes: '-S --suffix' },
	'bzip2 bunzip2': COMPRESSOR,
	'xz unxz': { ...COMPRESSOR, takes: '-S --suffix -T --threads' },
	zstd: { ...COMPRESSOR, into: '-o --output-dir-flat --output-dir-mirror' },
	unzip: { operands: 'none', takes: '-x -P', into: '-d', notWith: '-l -t -p -Z', refuse: run('unzip'), links: true },
	zip: { operands: 'all', takes: '-x -i -n', into: `${written('zip')} -b --temp-path`, refuse: run('zip') },
	patch: {
		operands: 'all',
		takes: '-p --strip -i --input -F --fuzz',
		into: '-o --output -d --directory -r --reject-file -B',
		links: true,
	},
	curl: {
		operands: 'none',
		takes:
			'-H -d -X -A -b -e -u -m -F -w --write-out -x --data --header --request --data-raw --data-binary --url --connect-timeout --max-time --retry',
		into: written('curl'),
		refuse: run('curl'),
	},
	wget: {
		operands: 'none',
		takes: '-T -t -U --header --post-data --user --password --timeout --tries',
		into: written('wget'),
		refuse: run('wget'),
	},
	make: { operands: 'none', leads: true, takes: '-o -W', into: '-C --directory -f --file --makefile', refuse: run('make') },
	npm: { operands: 'none', leads: true, into: '--prefix -C' },
	pnpm: { operands: 'none', leads: true, into: '-C --dir' },
	yarn: { operands: 'none', leads: true, into: '--cwd' },
	cargo: { operands: 'none', leads: true, into: '-C --target-dir --manifest-path --root' },
	go: { operands: 'none', leads: true, into: '-C' },
	pytest: { operands: 'none', leads: true, into: '--basetemp --rootdir' },
	tree: { operands: 'none', takes: '-L -P -I --filelimit', into: written('tree') },
	man: { operands: 'none', refuse: run('man') },
	less: { operands: 'none', into: written('less'), refuse: run('less') },
	fd: { operands: 'none', refuse: '-x --exec -X --exec-batch' },
	rg: { operands: 'none', takes: '-e --regexp -g --glob', refuse: run('rg') },
	'source .': { operands: 'first' },
	bash: { operands: 'first', notWith: '-c --version --help', takes: '-o -O' },
	'sh zsh': { operands: 'first', notWith: '-c --version --help', takes: '-o' },
};

export const FILE_RULES = readTable(ROWS, ['takes', 'into', 'allWith', 'notWith', 'refuse', 'links']);
export type FileRule = NonNullable<ReturnType<typeof FILE_RULES.get>>;

/** Programs that only read, so that it does not matter where. */
export const ONLY_READS =
	names(`cat head tail wc ls grep egrep fgrep rg cut tr nl tac rev od strings paste join fold fmt comm cmp diff column md5sum sha1sum sha256sum
	sha512sum cksum base64 basename dirname realpath readlink stat file pwd whoami id uname nproc du df echo printf true false : sleep seq expr
	jq which type command test [ date hostname ps free uptime lsof hexdump tree fd xxd exit break continue return read wait jobs cd pushd popd set
	export unset local declare readonly typeset shift umask env timeout nice time nohup xargs find sed awk gawk mawk exec eval less more man`);

/** Commands that no agent needs in its worktree, with the reason. */
export const NEVER = byName({
	'sudo su doas pkexec runuser chroot unshare nsenter setpriv': 'it changes who you are',
	'mount umount mkfs fdisk parted losetup swapon swapoff insmod modprobe rmmod sysctl': 'it changes this machine',
	'shutdown reboot halt poweroff systemctl service launchctl initctl crontab loginctl': 'it changes this machine',
	'useradd userdel usermod groupadd passwd chsh visudo chpasswd': 'it changes this machine',
	'pkill killall skill fuser xkill': 'it may end processes that are not yours; use kill %1 or kill $!',
	'ssh scp sftp mosh telnet nc ncat socat ftp rclone': 'it reaches other machines',
	'vi vim nvim view ed ex emacs nano pico': 'it is interactive; change files with your own tools',
	'tmux screen': 'other agents work in those terminals',
	'claude codex copilot gemini aider opencode cursor-agent goose claude-code': 'it starts an agent without a guard',
});

/** Subcommands that publish, or change things for all users of this machine. */
export const PUBLISHING = namesBy({
	npm: 'publish unpublish login adduser owner deprecate dist-tag access token',
	pnpm: 'publish login',
	yarn: 'publish npm',
	bun: 'publish',
	cargo: 'publish yank login owner install uninstall',
	gem: 'push yank owner signin',
	twine: 'upload register',
	poetry: 'publish config',
	uv: 'publish',
	'docker podman': 'push login',
	gh: 'pr_create pr_merge pr_close pr_edit issue_close repo release auth secret ssh-key gpg-key api workflow run alias extension config',
});
