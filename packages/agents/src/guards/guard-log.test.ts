import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { expect, it } from 'vitest';

/** Repeatedly fills the log beyond its limit and writes to it. */
const GUARD = `
	const { appendGuardLog, guardLogPath } = await import(process.argv[1]);
	const { appendFileSync, truncateSync } = await import('node:fs');
	const stateDir = process.argv[2];
	for (let round = 0; round < 2000; round++) {
		appendFileSync(guardLogPath(stateDir), '');
		try {
			truncateSync(guardLogPath(stateDir), 1024 * 1024 + 1);
		} catch (error) {
			// The other process has just rotated it.
			if (error.code !== 'ENOENT') throw error;
		}
		appendGuardLog(stateDir, { at: '', tool: 'Read', allowed: true });
	}`;

it('lets two guards rotate the log at the same time', { timeout: 120_000 }, async () => {
	await using temp = await createTempDir();
	const module = new URL('./guard-log.ts', import.meta.url).href;
	const argv = ['--conditions=source', '--input-type=module', '-e', GUARD, module, temp.path];
	const guards = [1, 2].map(() => spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] }));
	const codes = await Promise.all(guards.map(async (guard) => (await once(guard, 'exit'))[0]));
	expect(codes).toEqual([0, 0]);
});
