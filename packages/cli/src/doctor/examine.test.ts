import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const CHECKS = ['permissions', 'node', 'disk', 'clock', 'git', 'tmux', 'agents', 'config', 'record', 'runner', 'hooks', 'gate'];

describe('examination', () => {
	it('announces each check before it runs, and continues after a failing one', async () => {
		await using world = await openWorld();
		// Not a directory.
		writeFileSync(join(world.path, 'hooks'), '', { mode: 0o600 });
		const { findings, begun } = await world.examine();
		expect(begun).toEqual(CHECKS);
		expect(findings.find(({ check }) => check === 'hooks')).toMatchObject({
			state: 'fail',
			says: expect.stringContaining('could not be checked'),
		});
		expect(findings.find(({ check }) => check === 'gate')).toMatchObject({
			state: 'fail',
			says: expect.stringContaining('could not be tried without a runner'),
		});
	});

	it('fails the gate check when no runner starts', async () => {
		await using world = await openWorld();
		const { findings } = await world.examine({ ROOST_GATE: 'sometimes' });
		expect(findings.filter(({ state }) => state === 'fail').map(({ check }) => check)).toEqual(['config', 'gate']);
	});

	it('stops when the home path is invalid', async () => {
		await using world = await openWorld();
		const { findings } = await world.examine({ ROOST_HOME: 'relative' });
		expect(findings).toMatchObject([{ check: 'home', state: 'fail', remedy: expect.stringContaining('absolute') }]);
	});

	it.runIf(process.platform === 'linux')('stops when the home cannot be created', { timeout: 10_000 }, async () => {
		await using world = await openWorld();
		const { findings } = await world.examine({ ROOST_HOME: '/proc/roost' });
		expect(findings).toEqual([
			{
				check: 'home',
				state: 'fail',
				says: '/proc/roost cannot be created: nothing can be created on that file system',
				remedy: 'Set ROOST_HOME to a folder that you can write to.',
			},
		]);
	});

	it('suggests a fix for every failure', async () => {
		await using world = await openWorld();
		writeFileSync(join(world.path, 'token'), 'short', { mode: 0o644 });
		chmodSync(world.path, 0o755);
		const { findings } = await world.examine({ PATH: '/nonexistent' });
		const failed = findings.filter(({ state }) => state !== 'ok');
		expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining(['permissions', 'git', 'gate']));
		for (const { remedy } of failed) expect(remedy).toMatch(/\.$/);
	});
});

async function openWorld() {
	const temp = await createTempDir();
	return {
		path: temp.path,
		async examine(env: NodeJS.ProcessEnv = {}) {
			const begun: string[] = [];
			const findings: Finding[] = [];
			const options = {
				env: { PATH: process.env.PATH, ROOST_HOME: temp.path, ...env },
				cwd: temp.path,
				runner: [process.execPath, '-e', 'process.exit(3)'] as const,
			};
			for await (const finding of examine(options, (name) => begun.push(name))) findings.push(finding);
			return { begun, findings };
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
