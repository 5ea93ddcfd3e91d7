// ACP agents without an adapter: named by their command, or by a name that the user gave them in config.yaml.
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteArgv } from '@roost/agents/base/argv';
import { describe, expect, it } from 'vitest';
import { ASKS, acpPeerArgv, type PeerPlan } from '../fakes/acp-peer-plan.ts';
import { startRunner } from '../rigs/runner/runner-rig.ts';
import { createGitRepository } from '../rigs/shell/git-repository.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';

const PLAN: PeerPlan = {
	turns: {
		'make it': [
			{
				act: 'call',
				call: { id: 'c1', kind: 'execute', title: 'touch made', input: { command: 'touch made' }, asks: ASKS, makes: 'made' },
			},
			{ act: 'say', chunks: ['Made it.'] },
		],
		hello: [{ act: 'say', chunks: ['Hello.'] }],
	},
	resumesBy: 'load',
};

describe('ACP agent', { timeout: 120_000 }, () => {
	it.each(['its command', 'a configured name'])('is driven by %s', async (by) => {
		await using world = await openWorld();
		const isNamed = by === 'a configured name';
		const agent = isNamed ? 'mine' : `acp:${world.program}`;
		await using roost = await startRunner({
			agent,
			rig: world,
			config: isNamed ? { agents: { mine: { command: [world.program], env: world.env } } } : {},
		});
		const session = await roost.start({ prompt: 'make it' });
		expect(await session.asked()).toMatchObject({ tool: 'Bash', input: { command: 'touch made' } });
		await session.decide('allow');
		expect((await session.until('run.end')).data.status).toBe('completed');
		expect(existsSync(join(world.project, 'made'))).toBe(true);
		expect(await session.row()).toMatchObject({ agent, driven: true });
		await session.end();
		// It is recognised again from the record.
		expect((await session.say('hello')).data.status).toBe('completed');
		const rows = unwrap(await roost.api.agents.list());
		expect(rows.map(({ id }) => id).includes(agent)).toBe(isNamed);
	});

	it('is not started from an invalid command, or if the program is missing', async () => {
		await using world = await openWorld();
		await using roost = await startRunner({ agent: 'acp:x', rig: world });
		for (const [agent, words] of [
			['acp:sh -c "touch canary"', 'no shell reads it'],
			['acp:./peer', 'an absolute path'],
			['acp:no-such-agent --acp', 'no-such-agent is not on your PATH'],
			['acp:', 'expected a program'],
		]) {
			await expect(roost.start({ agent })).rejects.toThrow(words);
		}
		expect(existsSync(join(world.project, 'canary'))).toBe(false);
		expect(unwrap(await roost.api.record.sessions())).toEqual([]);
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const project = join(temp.path, 'project');
	await mkdir(project);
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path };
	await createGitRepository(project, env);
	const program = join(temp.path, 'peer');
	await writeFile(program, `#!/bin/sh\nexec ${quoteArgv(acpPeerArgv(PLAN))}\n`);
	await chmod(program, 0o755);
	await writeFile(join(project, 'peer'), '#!/bin/sh\ntouch canary\n', { mode: 0o755 });
	return { project, env, program, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
