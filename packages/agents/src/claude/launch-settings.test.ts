import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { mergeSettings, readUserSettings } from './launch-settings.ts';

describe('launch settings', () => {
	it('read user settings from JSON or a file', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 's.json'), '{"model":"x"}');
		expect(await readUserSettings('{"model":"x"}', temp.path)).toEqual({ ok: true, value: { model: 'x' } });
		expect(await readUserSettings('s.json', temp.path)).toEqual({ ok: true, value: { model: 'x' } });
		expect(await readUserSettings(null, temp.path)).toEqual({ ok: true, value: {} });
	});

	it.each(['{broken', 'missing.json', '{"hooks":[]}'])(
		'reject invalid or missing user settings with a usage error: %s',
		async (given) => {
			await using temp = await createTempDir();
			expect(await readUserSettings(given, temp.path)).toMatchObject({ ok: false, error: { code: 'usage' } });
		},
	);

	it('keep user hooks and environment, but never let them override Roost settings', () => {
		const user = {
			model: 'x',
			disableAllHooks: true,
			env: { A: '1', SECRET: 'theirs' },
			hooks: { Stop: ['theirs'], Setup: ['theirs'] },
		};
		const ours = { disableAllHooks: false, env: { SECRET: 'ours' }, hooks: { Stop: ['ours'] } };
		expect(mergeSettings(user, ours)).toEqual({
			model: 'x',
			disableAllHooks: false,
			env: { A: '1', SECRET: 'ours' },
			hooks: { Stop: ['theirs', 'ours'], Setup: ['theirs'] },
		});
	});
});
