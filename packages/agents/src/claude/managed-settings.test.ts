import { putFiles } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { refuseManaged } from './launch-settings.ts';

describe('managed settings', () => {
	it.each([
		[{ 'managed-settings.json': { disableAllHooks: true } }, 'disableAllHooks'],
		[{ 'managed-settings.json': { allowManagedHooksOnly: 'true' } }, 'allowManagedHooksOnly'],
		[{ 'managed-settings.d/10.json': { strictPluginOnlyCustomization: ['hooks'] } }, 'strictPluginOnlyCustomization'],
		[{ 'managed-settings.json': '{broken' }, 'it is not JSON'],
	])('prevent enforcement with %j', async (files, why) => {
		await using temp = await createTempDir();
		await putFiles(temp.path, files);
		expect(await refuseManaged(temp.path)).toContain(why);
	});

	it('allow enforcement if they do not affect hooks', async () => {
		await using temp = await createTempDir();
		expect(await refuseManaged(temp.path)).toBeNull();
		await putFiles(temp.path, { 'managed-settings.json': { allowManagedHooksOnly: false, permissions: { deny: ['Bash'] } } });
		expect(await refuseManaged(temp.path)).toBeNull();
	});
});
