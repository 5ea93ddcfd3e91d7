import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureHome, resolveHome } from '@roost/home/home';
import { readRunnerState } from '@roost/home/runner-file';
import { startScript } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { takeDown } from './runner.ts';

const IGNORES = "process.on('SIGTERM', () => process.stdout.write('heard'));";

describe('stopping a runner', () => {
	it('counts as ended, not as killed, even if it had to be killed', async () => {
		await using temp = await createTempDir();
		await using program = await startScript(IGNORES);
		const home = unwrap(resolveHome({ ROOST_HOME: temp.path }));
		unwrap(ensureHome(home));
		const entry = { ...program.identity, port: 1, version: '0', startedAt: 0 };
		writeFileSync(join(home.run, 'runner.json'), JSON.stringify(entry), { mode: 0o600 });
		expect(unwrap(readRunnerState(home))).toBe('up');
		expect(unwrap(await takeDown({ ROOST_HOME: temp.path }, program.identity, { graceMs: 100 }))).toBe('killed');
		expect(unwrap(readRunnerState(home))).toBe('ended');
	});
});
