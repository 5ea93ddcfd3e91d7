import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkConfig } from './check-home.ts';

describe('the configuration', () => {
	it('is fine where there is none, and says which gate holds', async () => {
		await using temp = await createTempDir();
		expect(checkConfig({ ROOST_HOME: temp.path, ROOST_GATE: 'enforce' })).toEqual([
			{ state: 'ok', says: 'none, so the defaults hold; the gate is set to enforce' },
		]);
	});

	it('is wrong where a key is, and says which, what is there, and where', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'config.yaml'), 'gate: { mode: sometimes }\nrunner: { prot: 1 }\n', { mode: 0o600 });
		const [found] = checkConfig({ ROOST_HOME: temp.path });
		expect(found).toMatchObject({ state: 'fail', remedy: expect.stringContaining(join(temp.path, 'config.yaml')) });
		for (const part of ['gate.mode', 'sometimes', 'prot']) expect(found?.says).toContain(part);
	});
});
