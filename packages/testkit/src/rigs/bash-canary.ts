// Real bash, with commands of ours and one that must never be reached: it tells which line got there.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type BashCanary = Disposable & {
	/** The line that reached the command `canary`; undefined where none did. */
	run(line: string): string | undefined;
};

const DEADLINE_MS = 2_000;

/** `quiet`: commands that do nothing here, whatever they are given. `path`: where others are found. */
export function createBashCanary({ quiet, path = '' }: { quiet: readonly string[]; path?: string }): BashCanary {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-canary-'));
	const reached = join(dir.path, 'reached');
	const addCommand = (name: string, body: string) => {
		writeFileSync(join(dir.path, name), `#!/bin/bash\n${body}\n`);
		chmodSync(join(dir.path, name), 0o700);
	};
	for (const name of quiet) addCommand(name, '');
	addCommand('canary', `printf %s "$LINE" > '${reached}'`);
	const env = { PATH: [dir.path, ...(path === '' ? [] : [path])].join(':'), HOME: dir.path };
	return {
		run(line) {
			rmSync(reached, { force: true });
			try {
				// Over a pipe, so that what a line leaves in the background is waited for too.
				const options = { cwd: dir.path, env: { ...env, LINE: line }, timeout: DEADLINE_MS } as const;
				execFileSync('/bin/bash', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
			} catch (cause) {
				// A line may fail or loop for ever; only what it reached matters.
				if (!(cause instanceof Error && ('status' in cause || 'signal' in cause))) throw cause;
			}
			return existsSync(reached) ? readFileSync(reached, 'utf8') : undefined;
		},
		[Symbol.dispose]: () => dir.remove(),
	};
}
