// A Pi that the user installed in another prefix, with a Roost without bundled agent programs.
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { copyRoost } from '@roost/testkit/rigs/runner/roost-copy';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 90_000;

describe.skipIf(cannotRun([agentProgram('pi')]))('Pi in its own prefix', { timeout: 4 * DEADLINE_MS }, () => {
	it('is driven, and is the one that doctor and the hook test report', async () => {
		await using world = await openWorld();
		const ran = await world.roost('run', '--agent', 'pi', 'say it');
		expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'Done.\n' });
		const doctor = JSON.parse((await world.roost('doctor', '--json')).stdout);
		expect(doctor.findings).toContainEqual({ check: 'agents', state: 'ok', says: `Pi 0.87.1 at ${world.pi}` });
		expect(doctor.findings.filter(({ says }: { says: string }) => /claude/i.test(says))).toEqual([
			{ check: 'agents', state: 'ok', says: expect.stringMatching(/^Claude Code \d.* at .*claude$/) },
		]);
		const proven = JSON.parse((await world.roost('agents', '--prove', '--json')).stdout);
		expect(proven).toContainEqual(
			expect.objectContaining({
				id: 'pi',
				program: { path: world.pi, version: '0.87.1', problem: null },
				guardProof: { state: 'guarded', provenAt: expect.any(Number) },
			}),
		);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await openPiRig({ script: () => message([say('Done.')]) }));
	const temp = stack.use(await createTempDir());
	const launcher = await copyRoost(join(temp.path, 'a clone'));
	const pi = join(temp.path, 'prefix', 'bin', 'pi');
	await mkdir(dirname(pi), { recursive: true });
	await symlink(rig.program, pi);
	const env = {
		...rig.env,
		PATH: [dirname(pi), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
		ROOST_HOME: join(temp.path, 'home'),
		ROOST_PORT: '0',
	};
	async function roost(...args: string[]) {
		await using program = await startProgram([launcher, ...args], { cwd: rig.project, env });
		return await program.waitForExit(DEADLINE_MS);
	}
	stack.defer(async () => void (await roost('down')));
	const owned = stack.move();
	return { pi, roost, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
