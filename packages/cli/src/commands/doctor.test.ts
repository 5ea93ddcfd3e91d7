// roost doctor as a user runs it: a real runner, a real gate, and real problems.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;

describe('roost doctor', { timeout: 2 * DEADLINE_MS }, () => {
	it('finds no problems on a fresh machine, tests the gate, and adds no session to the project', async () => {
		await using world = await openWorld();
		const healthy = await world.roost('doctor');
		expect(healthy).toMatchObject({ code: 0, stderr: '' });
		expect(healthy.stdout).toMatch(/^ok {4}agents {7}Claude Code \d+\.\d+\.\d+/m);
		expect(healthy.stdout).toMatch(/^ok {4}gate {9}a call on Roost’s own home was denied/m);
		expect(healthy.stdout).toContain('No problems found.');
		for (const line of healthy.stdout.split('\n').filter((text) => !text.includes(world.claude.home)))
			expect(line.length).toBeLessThanOrEqual(80);
		expect(await world.json('sessions', '--json')).toEqual([]);
		const [probe] = await world.json('sessions', '--all', '--json');
		expect(probe.projectPath).toBe(join(world.env.ROOST_HOME ?? '', 'probe'));
		expect((await world.roost('feed', probe.id)).stdout).toMatch(/Denied by rule builtin-home/);
		expect(await world.json('doctor', '--json')).toMatchObject({ ok: true });
	});

	it('fails when installed hooks were modified, and shows the fix', async () => {
		await using world = await openWorld();
		await world.roost('hooks', 'install', '--yes');
		const path = join(world.claude.project, '.claude', 'settings.local.json');
		writeFileSync(path, readFileSync(path, 'utf8').replace('"PreToolUse",', '"PreToolUse", "--x",'));
		const sick = await world.roost('doctor');
		expect(sick).toMatchObject({ code: 1, stderr: '' });
		expect(sick.stdout).toMatch(/^FAIL {2}hooks/m);
		expect(sick.stdout).toContain('→ See whether that was you');
		expect(sick.stdout).toContain('1 problem found');
	});

	it('fails when the runner hangs, without hanging itself', async () => {
		await using world = await openWorld();
		await world.roost('up', '--detach');
		const { pid } = await world.json('status', '--json');
		process.kill(pid, 'SIGSTOP');
		try {
			const { ok, findings } = JSON.parse((await world.roost('doctor', '--json')).stdout);
			const failed = findings.filter(({ state }: { state: string }) => state === 'fail');
			expect([ok, failed.map(({ check }: { check: string }) => check)]).toEqual([false, ['runner', 'gate']]);
			expect(failed[0].says).toContain(`process ${pid} does not answer`);
		} finally {
			process.kill(pid, 'SIGCONT');
		}
	});

	it('fails when the configuration is invalid, and shows the error', async () => {
		await using world = await openWorld();
		writeFileSync(join(world.env.ROOST_HOME ?? '', 'config.yaml'), 'gate: { mode: maybe }\n', { mode: 0o600 });
		const sick = await world.roost('doctor');
		expect(sick.code).toBe(1);
		expect(sick.stdout).toMatch(/^FAIL {2}config {7}gate\.mode/m);
		expect(sick.stdout).toMatch(/^FAIL {2}gate {9}it could not be tried/m);
	});
});

async function openWorld() {
	const claude = await openClaudeRig({ script: scriptTurns([say('done')]) });
	const env = claude.roostEnv;
	const roost = async (...args: readonly string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
		return await program.waitForExit(DEADLINE_MS);
	};
	await roost('hooks', 'status');
	return {
		claude,
		env,
		roost,
		json: async (...args: readonly string[]) => JSON.parse((await roost(...args)).stdout),
		[Symbol.asyncDispose]: () => claude[Symbol.asyncDispose](),
	};
}
