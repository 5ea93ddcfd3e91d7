// roost config as a user runs it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const TOKEN = 'secret'.repeat(6);

describe('roost config', () => {
	it('prints each value with its source, and no secrets', async () => {
		await using world = await openWorld(
			`auth: {token: ${TOKEN}}\nagents: {codex: {env: {KEY: ${TOKEN}}}}\nrunner: {name: desk}\n`,
		);
		const [shown, json] = await world.drive([['config'], ['config', '--json']]);
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		const lines = shown?.stdout.split('\n').map((line) => line.split(/ {2,}/)) ?? [];
		expect(lines[0]).toEqual([`Configuration file: ${world.file}`]);
		expect(lines).toContainEqual(['runner.name', 'desk', world.file]);
		expect(lines).toContainEqual(['runner.port', '4100', 'ROOST_PORT']);
		expect(lines).toContainEqual(['gate.mode', 'observe', 'default']);
		expect(lines).toContainEqual(['auth.token', 'set', world.file]);
		expect(lines).toContainEqual(['auth.tokenFile', '-', 'default']);
		expect(lines).toContainEqual(['agents.codex.env', '{"KEY":"set"}', world.file]);
		expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
			file: { path: world.file, exists: true },
			settings: expect.arrayContaining([{ key: 'runner.port', value: 4100, source: 'environment', from: 'ROOST_PORT' }]),
		});
		expect(`${shown?.stdout}${json?.stdout}`).not.toContain(TOKEN);
	});

	it('applies the flags of other commands', async () => {
		await using world = await openWorld('gate: {mode: observe}\n');
		const [shown] = await world.drive([['--enforce', 'config', '--port', '4200', '--json']]);
		expect(JSON.parse(shown?.stdout ?? '').settings).toEqual(
			expect.arrayContaining([
				{ key: 'runner.port', value: 4200, source: 'flag', from: '--port' },
				{ key: 'gate.mode', value: 'enforce', source: 'flag', from: '--enforce' },
			]),
		);
	});

	it('fails with the same error as every other command when the file is invalid', async () => {
		await using world = await openWorld('runtime: {printCommand: claude}\n');
		const message = `runtime.printCommand in ${world.file} has no effect: remove the key; "roost run --agent" chooses the agent of a run.`;
		const [shown, json, other] = await world.drive([['config'], ['config', '--json'], ['asks']]);
		expect(shown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has no effect') });
		expect(other).toEqual(shown);
		expect(JSON.parse(json?.stderr ?? '')).toEqual({ error: { code: 'usage', message } });
	});
});

async function openWorld(yaml: string) {
	const temp = await createTempDir();
	const file = join(temp.path, 'config.yaml');
	writeFileSync(file, yaml, { mode: 0o600 });
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path, ROOST_PORT: '4100' };
	return {
		file,
		drive: (runs: readonly (readonly string[])[]) => driveCli(runs, { cwd: temp.path, env }),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
