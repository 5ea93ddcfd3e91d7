import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { checkAgents } from './check-agents.ts';

describe('the agents of a machine', () => {
	it('are named with version and place where they are configured', async () => {
		await using world = await openWorld('echo "2.5.0 (Claude Code)"', 'my-claude');
		expect(await world.check()).toContainEqual({ state: 'ok', says: `Claude Code 2.5.0 at ${world.program}` });
	});

	it.each([
		['gone', 'true', 'agents.claude.command names gone'],
		['my-claude', 'echo "something else"', 'does not answer as Claude Code does'],
		['my-claude', 'echo "1.0.0 (Claude Code)"', 'is too old'],
		['my-claude', 'exit 3', 'exit code 3'],
	])('are wrong where the configured command %s cannot be used: %s', async (command, script, words) => {
		await using world = await openWorld(script, command);
		expect(await world.check()).toContainEqual({
			state: 'fail',
			says: expect.stringContaining(words),
			remedy: expect.stringContaining('config.yaml'),
		});
	});

	it('are not missed where nobody configured them', async () => {
		await using world = await openWorld('true', undefined);
		for (const { state } of await world.check()) expect(state).toBe('ok');
	});
});

async function openWorld(script: string, command: string | undefined) {
	const temp = await createTempDir();
	const bin = join(temp.path, 'bin');
	await mkdir(bin);
	const program = join(bin, 'my-claude');
	await writeFile(program, `#!/bin/sh\n${script}\n`);
	await chmod(program, 0o755);
	const agents = command === undefined ? {} : { claude: { command } };
	await writeFile(join(temp.path, 'config.yaml'), JSON.stringify({ agents }), { mode: 0o600 });
	const env = { PATH: bin, HOME: temp.path, ROOST_HOME: temp.path };
	return {
		program,
		check: () => checkAgents(env, unwrap(loadConfig({ env }))),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
