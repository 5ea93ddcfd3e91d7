import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createParrotRuntime } from './parrot-runtime.ts';

describe('a parrot', () => {
	it('gets its instructions from outside of its worktree, and leaves nothing', async () => {
		await using temp = await createTempDir();
		const runtime = createParrotRuntime();
		const def = { agentName: 'polly', capability: 'scout', worktreePath: temp.path, stateDir: join(temp.path, 'state') };
		const deployed = await runtime.deployConfig(temp.path, { content: 'Repeat after me.' }, def);
		expect(await readFile(deployed.files[0] ?? '', 'utf8')).toBe('Repeat after me.');
		const spawned = runtime.buildSpawnCommand({ model: "it's", permissionMode: 'ask', cwd: temp.path, env: {}, deployed });
		expect(spawned).toBe(`parrot '--model=it'\\''s' --instructions=${deployed.files[0]}`);
		await deployed.remove();
		await expect(readFile(deployed.files[0] ?? '')).rejects.toThrow('ENOENT');
	});
});
