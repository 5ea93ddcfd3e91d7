import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { startHooks } from './start-hooks.ts';

describe('hook port', () => {
	it('is reused from the last server', async () => {
		await using temp = await createTempDir();
		const first = await startIn(temp.path);
		await first.close();
		await using second = await startIn(temp.path);
		expect(second.httpUrl).toBe(first.httpUrl);
		expect(statSync(join(temp.path, 'hook-port')).mode & 0o777).toBe(0o600);
	});

	it.each(['', 'x', '-1', '70000', '1.5'])('is chosen freely if the remembered value is %j', async (text) => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'hook-port'), text, { mode: 0o600 });
		await using server = await startIn(temp.path);
		expect(readFileSync(join(temp.path, 'hook-port'), 'utf8')).toBe(`${new URL(server.httpUrl).port}\n`);
	});
});

async function startIn(runDir: string) {
	return unwrap(await startHooks({ runDir, now: Date.now, newId: () => 'id' }));
}
