// The bundled Roost drives the real Pi: Pi loads the bundled gate, and the gate asks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FILES, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig, PI_MODEL, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 90_000;

describe.skipIf(cannotRun([agentProgram('pi')]))('bundled gate of Pi', { timeout: 4 * DEADLINE_MS }, () => {
	it('is loaded by the real Pi, denies unapproved calls and allows those that a rule allows', async () => {
		await using world = await openWorld();
		expect(await world.roost('run', '--agent', 'pi', '--model', PI_MODEL, '--on-ask', 'fail', 'go')).toMatchObject({ code: 5 });
		expect(existsSync(world.made)).toBe(false);
		expect(await world.roost('rules', 'add', 'allow', 'Bash', '--pattern', 'touch *')).toMatchObject({ code: 0 });
		expect(await world.roost('run', '--agent', 'pi', '--model', PI_MODEL, 'go')).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(existsSync(world.made)).toBe(true);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const script = ({ toolResults }: { toolResults: readonly unknown[] }) =>
		message(toolResults.length === 0 ? [piWords.shell('touch made')] : [say('done')]);
	const rig = stack.use(await openPiRig({ script }));
	const home = stack.use(await createTempDir()).path;
	const env = {
		...rig.env,
		ROOST_HOME: join(home, 'roost'),
		ROOST_PORT: '0',
		PATH: `${join(rig.program, '..')}:${rig.env.PATH}`,
	};
	const start = join(PROGRAM_FOLDER, PROGRAM_FILES.start[1]);
	async function roost(...args: string[]) {
		await using program = await startProgram([process.execPath, start, ...args], { cwd: rig.project, env });
		return await program.waitForExit(DEADLINE_MS);
	}
	stack.defer(async () => void (await roost('down')));
	const owned = stack.move();
	return { roost, made: join(rig.project, 'made'), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
