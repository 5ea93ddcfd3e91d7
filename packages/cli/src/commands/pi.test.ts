// roost pi: the user's own pi, on record, and asked where Roost is the gate.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agent-programs';
import { PI_MODEL } from '@roost/testkit/rigs/pi-home';
import { openPiRig, type PiRig, piWords } from '@roost/testkit/rigs/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { roostArgv } from '@roost/testkit/rigs/roost-cli';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 60_000;

describe.skipIf(cannotRun([agentProgram('pi')]))('roost pi', () => {
	it(
		'runs the user’s pi, puts the session on record, and lets somebody else allow what it wants where Roost is the gate',
		async () => {
			await using rig = await openPiRig({
				script: ({ toolResults }) => message(toolResults.length === 0 ? [piWords.shell('touch made')] : [say('Done.')]),
			});
			const env = await piUserEnv(rig);
			expect(await roost(rig, env, 'pi', '--version')).toMatchObject({
				code: 0,
				stdout: expect.stringMatching(/^\d+\.\d+\.\d+/),
			});
			expect(await roost(rig, env, 'sessions', '--json')).toMatchObject({ stdout: '[]\n' });
			expect(await roost(rig, env, 'pi', '-p', '--model', PI_MODEL, 'make it')).toMatchObject({ code: 0, stdout: 'Done.\n' });
			const [session] = JSON.parse((await roost(rig, env, 'sessions', '--json')).stdout);
			expect(session).toMatchObject({ agent: 'pi', status: 'ended', projectPath: rig.project, title: 'make it' });
			const lines = (await roost(rig, env, 'feed', session.id, '--json')).stdout.trim().split('\n');
			const kinds = new Set(lines.map((line) => JSON.parse(line).event.kind));
			expect(
				['user.prompt', 'tool.pre', 'tool.post', 'agent.message', 'usage.update', 'run.end'].filter((kind) => !kinds.has(kind)),
			).toEqual([]);
			expect(existsSync(join(rig.project, 'made'))).toBe(true);

			await using asked = await startProgram(roostArgv('--enforce', 'pi', '-p', '--model', PI_MODEL, 'again'), {
				cwd: rig.project,
				env,
			});
			const ask = await waitFor(async () => JSON.parse((await roost(rig, env, 'asks', '--json')).stdout)[0], {
				deadlineMs: DEADLINE_MS,
				what: 'the ask',
			});
			expect(ask).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command: 'touch made' } });
			await roost(rig, env, 'deny', ask.id, '--message', 'not again');
			expect(await asked.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0, stdout: 'Done.\n' });
			expect(rig.requests.at(-1)?.toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('not again') }]);
			await roost(rig, env, 'down');
		},
		DEADLINE_MS,
	);
});

/** A user whose `pi` is the rig's, and whose Roost is empty. */
async function piUserEnv(rig: PiRig): Promise<Record<string, string>> {
	await symlink(rig.program, join(rig.home, 'pi'));
	return { ...rig.env, PATH: `${rig.home}:${rig.env.PATH}`, ROOST_HOME: join(rig.home, 'roost') };
}

async function roost(rig: PiRig, env: Record<string, string>, ...args: string[]) {
	await using program = await startProgram(roostArgv(...args), { cwd: rig.project, env });
	return await program.waitForExit(DEADLINE_MS);
}
