// Real bash runs what an allow covers: a command that was not allowed must never be reached.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellPieces } from '@roost/testkit/corpora/shell-pieces';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { coversLine } from './shell-cover.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 60_000 : 3_000;

it('never lets real bash reach a command outside the allow', { timeout: 600_000 }, () => {
	using world = makeWorld();
	let ran = 0;
	fc.assert(
		fc.property(line, (text) => {
			if (!coversLine('safe *', simpleCommands(text))) return;
			ran++;
			world.run(text);
			expect(world.reached(), text).toBe(false);
		}),
		{ numRuns: ROUNDS },
	);
	expect(ran).toBeGreaterThan(ROUNDS / 100);
	world.run('safe; canary');
	expect(world.reached()).toBe(true);
});

function makeWorld() {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-shell-'));
	for (const [name, body] of [
		['safe', ''],
		['canary', ': > reached'],
	] as const) {
		writeFileSync(join(dir.path, name), `#!/bin/bash\n${body}\n`);
		chmodSync(join(dir.path, name), 0o700);
	}
	return {
		run(text: string): void {
			try {
				execFileSync('/bin/bash', ['-c', text], { cwd: dir.path, env: { PATH: dir.path }, stdio: 'ignore', timeout: 2_000 });
			} catch (cause) {
				// A line may fail or loop for ever; only what it reached matters.
				if (!(cause instanceof Error && ('status' in cause || 'signal' in cause))) throw cause;
			}
		},
		reached: () => existsSync(join(dir.path, 'reached')),
		[Symbol.dispose]: () => dir.remove(),
	};
}

const line = fc
	.array(fc.constantFrom(...shellPieces('safe', 'canary')), { minLength: 1, maxLength: 9 })
	.map((pieces) => `safe ${pieces.join('')}`);
