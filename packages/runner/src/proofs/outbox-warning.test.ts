// A real runner over a record that no hub has acknowledged: only a user with a hub is told of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playDemoInto } from '@roost/testkit/rigs/played-demo';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

describe('a record that was never acknowledged', () => {
	it.each([
		['with a hub is warned of, once', 'hub:\n  enabled: true\n  url: wss://hub.example.com\n', 1],
		['without a hub is nothing to warn of', '', 0],
	] as const)('%s', { timeout: 120_000 }, async (_name, hub, warnings) => {
		await using world = await playedDemo();
		writeFileSync(join(world.home, 'config.yaml'), `buffer:\n  maxEvents: 5\n${hub}`, { mode: 0o600 });
		expect(await world.roost('up', '--detach')).toMatchObject({ code: 0 });
		expect(world.warnings()).toHaveLength(warnings);
		// Another event, which is not another warning.
		expect(await world.roost('rules', 'add', 'deny', 'Bash', '--scope', 'user')).toMatchObject({ code: 0 });
		expect(world.warnings()).toHaveLength(warnings);
	});
});

async function playedDemo() {
	const temp = await createTempDir();
	const home = join(temp.path, 'roost');
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: home };
	const roost = async (...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: temp.path, env });
		return await program.waitForExit(60_000);
	};
	await playDemoInto(env, temp.path);
	return {
		home,
		roost,
		warnings: () =>
			readFileSync(join(home, 'runner.log'), 'utf8').match(/events wait for the hub, more than buffer\.maxEvents \(5\)/g) ?? [],
		async [Symbol.asyncDispose]() {
			await roost('down');
			await temp[Symbol.asyncDispose]();
		},
	};
}
