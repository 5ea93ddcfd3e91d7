import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { AGENT_KINDS, getAdapter } from '../kinds.ts';
import { createParrotAdapter, parrotKind } from './parrot-kind.ts';

describe('Parrot example agent', () => {
	it('is available once its row is registered, and unknown otherwise', () => {
		const kinds = [...AGENT_KINDS, parrotKind];
		const { id, title, program } = unwrap(getAdapter('parrot', {}, kinds));
		expect({ id, title, program }).toEqual({ id: 'parrot', title: 'Parrot', program: 'parrot' });
		expect(parrotKind.known).toMatchObject({ id, title, program });
		expect(unwrapError(getAdapter('nobody', {}, kinds)).message).toContain('copilot, parrot.');
		expect(unwrapError(getAdapter('parrot')).message).toContain('There is no agent "parrot"');
	});

	it('receives its instructions as a file that is removed afterwards', async () => {
		await using temp = await createTempDir();
		const adapter = createParrotAdapter();
		const def = { agentName: 'polly', capability: 'scout', worktreePath: temp.path, stateDir: join(temp.path, 'state') };
		const deployed = await adapter.deployConfig(temp.path, { content: 'Repeat after me.' }, def);
		expect(await readFile(deployed.files[0] ?? '', 'utf8')).toBe('Repeat after me.');
		const spawned = adapter.buildSpawnCommand({ model: "it's", permissionMode: 'ask', cwd: temp.path, env: {}, deployed });
		expect(spawned).toBe(`parrot '--model=it'\\''s' --instructions=${deployed.files[0]}`);
		await deployed.remove();
		await expect(readFile(deployed.files[0] ?? '')).rejects.toThrow('ENOENT');
	});
});
