// Real bash with stub commands and one command that must never run: reports the line that ran it.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type BashCanary = Disposable & {
	/** The line that ran the canary; undefined if none did. */
	run(line: string): string | undefined;
};

const DEADLINE_MS = 10_000;

export type BashCanaryOptions = {
	/** Commands that do nothing here. */
	quiet: readonly string[];
	/** The PATH for other commands; else none are found. */
	path?: string;
	/** The command that must not run, if its first argument is this. */
	canary?: readonly [name: string, first?: string];
};

export function createBashCanary({ quiet, path = '', canary = ['canary'] }: BashCanaryOptions): BashCanary {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-canary-'));
	// Lines run in another folder than the commands, so that they cannot overwrite one.
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
			// Removes scripts that earlier lines wrote.
			rmSync(work, { recursive: true, force: true });
			mkdirSync(work);
			try {
				// Through a pipe, which also waits for background processes.
				const options = { cwd: work, env: { ...env, LINE: line }, timeout: DEADLINE_MS } as const;
				execFileSync('/bin/bash', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
			} catch (cause) {
				// A line may fail or loop forever; only the canary matters.
				if (!(cause instanceof Error && ('status' in cause || 'signal' in cause))) throw cause;
			}
			return existsSync(reached) ? readFileSync(reached, 'utf8') : undefined;
		},
		[Symbol.dispose]: () => dir.remove(),
	};
}
