// A worktree beside a folder that is none of an agent's business: real bash runs lines in the one, and tells whether the other changed.
import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempDisposableSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type BashWorktree = Disposable & {
	/** As it is before every line. */
	path: string;
	reset(): void;
	/** What the line changed outside, or that it pushed; undefined where it did neither. */
	run(line: string): string | undefined;
};

const DEADLINE_MS = 3_000;
/** Names in a list that lines read from, one after the other. */
const LIST = '../other/victim\n-t../other\na[$(git push)]\n';

export function createBashWorktree(): BashWorktree {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-worktree-'));
	// Deep down, so that a line that climbs too far still harms nothing.
	const around = join(realpathSync(dir.path), 'a/b/c/d/e');
	const path = join(around, 'tree');
	const bin = join(dir.path, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'git'), `#!/bin/bash\n[ "$1" = push ] && : > '${join(around, 'pushed')}'\n`);
	chmodSync(join(bin, 'git'), 0o700);
	const reset = () => {
		rmSync(join(dir.path, 'a'), { recursive: true, force: true });
		for (const folder of ['tree/sub/deep', 'tree/.git', 'other/sub']) mkdirSync(join(around, folder), { recursive: true });
		for (const name of ['tree/a', 'tree/b', 'tree/sub/x', 'tree/.git/config', 'other/victim', 'other/x', 'other/sub/x'])
			writeFileSync(join(around, name), 'one\ntwo\n');
		writeFileSync(join(path, 'list'), LIST);
		symlinkSync('../other', join(path, 'out'));
		symlinkSync('.', join(path, 'here'));
		symlinkSync('sub/deep', join(path, 'down'));
		symlinkSync('../../other', join(path, 'sub/deep/up'));
		symlinkSync('../new', join(path, 'sub/later'));
	};
	const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(around, 'other') };
	return {
		path,
		reset,
		run(line) {
			const before = outside(around);
			try {
				execFileSync('/bin/bash', ['-c', line], { cwd: path, env, timeout: DEADLINE_MS, stdio: ['ignore', 'pipe', 'pipe'] });
			} catch (cause) {
				// A line may fail or loop for ever; only what it changed matters.
				if (!(cause instanceof Error && ('status' in cause || 'signal' in cause))) throw cause;
			}
			const after = outside(around);
			return before === after ? undefined : `${line}\nmade of\n${before}\nthis:\n${after}`;
		},
		[Symbol.dispose]: () => dir.remove(),
	};
}

/** Everything beside the worktree. */
function outside(around: string): string {
	const beside = readdirSync(around).filter((name) => name !== 'tree');
	return beside.flatMap((name) => look(around, name)).join('\n');
}

function look(root: string, name: string): string[] {
	const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
	if (stats === undefined) return [`${name} is gone`];
	if (!stats.isDirectory()) return [`${name} ${stats.mode} ${stats.isFile() ? readFileSync(join(root, name), 'utf8') : ''}`];
	return [name, ...readdirSync(join(root, name)).flatMap((each) => look(root, `${name}/${each}`))];
}
