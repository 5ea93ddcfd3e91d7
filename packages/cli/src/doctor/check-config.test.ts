import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkConfig } from './check-home.ts';

describe('configuration check', () => {
	it('passes without a file, and names the gate mode', async () => {
		await using temp = await createTempDir();
		expect(checkConfig({ ROOST_HOME: temp.path, ROOST_GATE: 'enforce' })).toEqual([
			{ state: 'ok', says: 'none, so the defaults apply; the gate is set to enforce' },
		]);
	});

	it('fails on invalid keys, and names the key, the value and the file', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'config.yaml'), 'gate: { mode: sometimes }\nrunner: { prot: 1 }\n', { mode: 0o600 });
		const [found] = checkConfig({ ROOST_HOME: temp.path });
		expect(found).toMatchObject({ state: 'fail', remedy: expect.stringContaining(join(temp.path, 'config.yaml')) });
		for (const part of ['gate.mode', 'sometimes', 'prot']) expect(found?.says).toContain(part);
	});
});
