// A repository in which shell tricks really run: each gets its own copy, with a file to lose and programs to misuse.
import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { waitFor } from '../wait-for.ts';

export type TrickWorld = AsyncDisposable & {
	/** Runs a line in bash; true if `pwned` exists or `victim` is gone afterwards. */
	shows(line: string): Promise<boolean>;
	/** Runs a line in bash; true if afterwards there is a branch in `remote.git`. */
	pushes(line: string): Promise<boolean>;
};

const DEADLINE_MS = 20_000;

const FILES: Readonly<Record<string, string>> = {
	victim: 'still here\n',
	'other.txt': 'one\ntwo\n',
	'tracked.txt': 'old\n',
	'sub/a': 'one\n',
	'sub/pwned': 'x\n',
	'sub/script': '#!/bin/bash\n: > pwned\n',
	'sub/w.sed': 'w pwned\n',
	'sub/w.awk': '{ print > "pwned" }\n',
	'sub/hex': '00000000: 6f6e 650a\n',
	'sub/pwn.cjs': 'require("fs").writeFileSync("pwned", "");\n',
	'sub/nothing.cjs': '',
	'sub/rm.sh': 'rm victim\n',
	'sub/mk': 'x:\n\t@$(CC) true $(X)\n',
	'sub/npmrc': 'script-shell=./sub/script\n',
	'sub/curlrc': 'url=file:///etc/hostname\noutput=pwned\n',
	'sub/sshconfig': 'Host *\nProxyCommand touch pwned\n',
	'sub/vimrc': 'silent !touch pwned\n',
	'sub/sqlrc': '.shell touch pwned\n',
	'sub/c.c': 'int x;\n',
	'sub/package.json': '{"scripts":{"test":"touch ../pwned"}}\n',
	'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"true"}}\n',
	'sub/big': `${'some words to sort\n'.repeat(20_000)}`,
	'sub/compress': '#!/bin/bash\n: > pwned\ncat\n',
	'sub/git-evil': '#!/bin/bash\n: > pwned\n',
	'sub/hooks/pre-commit': '#!/bin/bash\n: > pwned\n',
	'sub/template/hooks/post-checkout': '#!/bin/bash\n: > ../pwned\n',
	'sub/Makefile': 'all:\n\t: > pwned\n',
};

const SETUP = [
	'git init --quiet --template= --initial-branch=main',
	'git add other.txt tracked.txt',
	'git -c user.name=Dev -c user.email=dev@example.com commit --quiet --message Start',
	'echo new > tracked.txt',
	'tar -C sub -cf sub/a.tar pwned',
	'git init --quiet --bare --template= remote.git',
	'git remote add origin ./remote.git',
	'git config branch.main.remote origin && git config branch.main.merge refs/heads/main',
].join(' && ');

export async function createTrickWorld(): Promise<TrickWorld> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	// A trick is hostile by intent: if it reaches too far, it must not harm the machine.
	const system = stack.use(await createReadOnlySystem(temp.path));
	const template = join(temp.path, 'template');
	for (const [name, text] of Object.entries(FILES)) {
		await mkdir(dirname(join(template, name)), { recursive: true });
		await writeFile(join(template, name), text);
		if (text.startsWith('#!')) await chmod(join(template, name), 0o700);
	}
	const env = {
		PATH: process.env.PATH ?? '',
		HOME: temp.path,
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_AUTHOR_NAME: 'Dev',
		GIT_AUTHOR_EMAIL: 'd@example.com',
		GIT_COMMITTER_NAME: 'Dev',
		GIT_COMMITTER_EMAIL: 'd@example.com',
	};
	const bash = async (line: string, cwd: string) => {
		await using program = await startProgram(system.wrap(line, cwd), { cwd, env });
		return await program.waitForExit(DEADLINE_MS);
	};
	const made = await bash(SETUP, template);
	if (made.code !== 0) throw new Error(`the world for tricks could not be made: ${made.stderr}`);
	let count = 0;
	const tryIn = async (line: string, look: (cwd: string) => boolean) => {
		count += 1;
		const cwd = join(temp.path, `try-${count}`);
		await cp(template, cwd, { recursive: true });
		await bash(line, cwd);
		const seen = look(cwd);
		await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
		return seen;
	};
	const owned = stack.move();
	return {
		shows: (line) => tryIn(line, (cwd) => existsSync(join(cwd, 'pwned')) || !existsSync(join(cwd, 'victim'))),
		pushes: (line) => tryIn(line, (cwd) => readdirSync(join(cwd, 'remote.git/refs/heads')).length > 0),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** For root only: a mount namespace in which only temporary files can be changed. */
type ReadOnlySystem = AsyncDisposable & {
	/** The argument vector that runs a line in bash there. */
	wrap(line: string, cwd: string): [string, ...string[]];
};

const MOUNTS = `
mount --bind "$1" "$1" || exit 1
for folder in /*; do
	case $folder in /proc | /sys | /dev | /tmp | /run) continue ;; esac
	[ -d "$folder" ] && [ ! -L "$folder" ] || continue
	mount --rbind "$folder" "$folder" && mount -o remount,ro,bind "$folder" || exit 1
done
mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" || exit 1
echo ready
exec sleep infinity`;

/** Other users cannot harm the system and get plain bash. Fails if root may not mount. The repository is read-only too, in any location. */
async function createReadOnlySystem(writable: string): Promise<ReadOnlySystem> {
	if (process.getuid?.() !== 0)
		return { wrap: (line) => ['/bin/bash', '-c', line], [Symbol.asyncDispose]: () => Promise.resolve() };
	const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
	const argv = [
		'unshare',
		'--mount',
		'--propagation',
		'private',
		'/bin/sh',
		'-c',
		MOUNTS,
		'sh',
		writable,
		process.cwd(),
	] as const;
	const holder = await startProgram([...argv], { cwd: '/', env });
	const isReady = () => (holder.output().stdout.includes('ready') ? true : undefined);
	await waitFor(isReady, { deadlineMs: DEADLINE_MS, what: 'the read-only view of the system', seen: holder.output });
	const enter = 'cd "$1" && unset OLDPWD && exec /bin/bash -c "$2"';
	return {
		wrap: (line, cwd) => ['/usr/bin/nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '/bin/sh', '-c', enter, 'sh', cwd, line],
		[Symbol.asyncDispose]: () => holder.kill(),
	};
}
