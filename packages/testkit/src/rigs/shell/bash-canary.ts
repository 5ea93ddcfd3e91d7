// Real bash, with commands of ours and one that must never be reached: it tells which line got there.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type BashCanary = Disposable & {
	/** The line that reached the canary; undefined where none did. */
	run(line: string): string | undefined;
};

const DEADLINE_MS = 10_000;

export type BashCanaryOptions = {
	/** Commands that do nothing here. */
	quiet: readonly string[];
	/** Where others are found; else nowhere. */
	path?: string;
	/** The command that must not be reached, if its first argument is that. */
	canary?: readonly [name: string, first?: string];
};

export function createBashCanary({ quiet, path = '', canary = ['canary'] }: BashCanaryOptions): BashCanary {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-canary-'));
	// Lines run elsewhere than the commands lie: what they write must not take the place of one.
	const reached = join(dir.path, 'reached');
	const bin = join(dir.path, 'bin');
	const work = join(dir.path, 'work');
	mkdirSync(bin);
	const addCommand = (name: string, body: string) => {
		writeFileSync(join(bin, name), `#!/bin/bash\n${body}\n`);
		chmodSync(join(bin, name), 0o700);
	};
	for (const name of quiet) addCommand(name, '');
	const [name, first] = canary;
	const guard = first === undefined ? '' : `[ "$1" = '${first}' ] || exit 0\n`;
	addCommand(name, `${guard}printf %s "$LINE" > '${reached}'`);
	const env = { PATH: path === '' ? bin : `${bin}:${path}`, HOME: work };
	return {
		run(line) {
			rmSync(reached, { force: true });
			// A script that an earlier line wrote is no part of this one.
			rmSync(work, { recursive: true, force: true });
			mkdirSync(work);
			try {
				// Over a pipe, so that what a line leaves in the background is waited for too.
				const options = { cwd: work, env: { ...env, LINE: line }, timeout: DEADLINE_MS } as const;
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
