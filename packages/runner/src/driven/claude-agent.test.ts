import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '@roost/home/config/load-config';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { allowAll, listenTo } from '@roost/testkit/rigs/agents/driven-story';
import { createMemoryMcpTrust } from '@roost/testkit/rigs/api/memory-parts';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openDrivable } from './open-drivable.ts';

describe('Claude driven by a runner', () => {
	it('reports a missing configured program and does not fall back to another', async () => {
		await using temp = await createTempDir();
		const agent = openConfigured(temp.path, ['no-such-claude'], { PATH: '/usr/bin:/bin' });
		const { runtime } = agent.open({ cwd: temp.path, gate: 'enforce' });
		const reported: unknown[] = [];
		runtime.onEvent(({ hookName, payload }) => reported.push([hookName, payload]));
		runtime.start();
		expect(reported).toMatchObject([
			['SessionStart', {}],
			[
				'StopFailure',
				{
					last_assistant_message: 'agents.claude.command names no-such-claude, which is not on your PATH: fix it in config.yaml.',
				},
			],
			['SessionEnd', {}],
		]);
		expect(runtime.getStatus()).toBe('stopped');
	});

	it('gets the arguments configured with its program before all others', { timeout: 120_000 }, async () => {
		await using claude = await openClaudeRig({ script: () => message([say('fine')]) });
		const [starter, seen] = [join(claude.home, 'starter'), join(claude.home, 'seen')];
		await writeFile(starter, `#!/bin/sh\nprintf '%s\\n' "$@" > "$1"\nshift 2\nexec ${claude.program} "$@"\n`, { mode: 0o700 });
		const agent = openConfigured(claude.home, [starter, seen, 'with words'], claude.env);
		const { ask, connection } = listenTo(agent.open({ cwd: claude.project, gate: 'enforce' }), allowAll);
		expect((await ask('go')).payload).toMatchObject({ last_assistant_message: 'fine' });
		connection.close();
		const [first, second, ...others] = readFileSync(seen, 'utf8').split('\n');
		expect([first, second]).toEqual([seen, 'with words']);
		expect(others).toContain('stream-json');
	});

	it('removes the MCP server files of sessions that were killed with their runner', async () => {
		await using temp = await createTempDir();
		const left = join(temp.path, 'claude-sessions', 'left.json');
		await mkdir(join(temp.path, 'claude-sessions'), { mode: 0o700 });
		await writeFile(left, '{}');
		openConfigured(temp.path, ['no-such-claude'], {});
		expect(() => readFileSync(left)).toThrow('ENOENT');
	});
});

function openConfigured(home: string, command: string[], over: Readonly<Record<string, string>>) {
	const env = { HOME: home, ...over, ROOST_HOME: home };
	const config = { ...unwrap(loadConfig({ env })), agents: { claude: { command, env: {} } } };
	const agent = openDrivable({ env, config, mcpTrust: createMemoryMcpTrust(), runDir: home }).get('claude');
	if (!agent) throw new Error('there is no claude');
	return agent;
}
