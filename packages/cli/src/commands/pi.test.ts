// roost pi: the user's own pi, recorded, and gated in enforce mode.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig, PI_MODEL, type PiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type ReachedRunner, reachRoost } from '@roost/testkit/rigs/runner/runner-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;

describe.skipIf(cannotRun([agentProgram('pi')]))('roost pi', () => {
	it(
		'runs the user’s pi, records the session, and leaves the decision to Roost with --enforce',
		async () => {
			await using rig = await openPiRig({
				script: ({ toolResults }) => message(toolResults.length === 0 ? [piWords.shell('touch made')] : [say('Done.')]),
			});
			const env = await piUserEnv(rig);
			const argv = ['pi', '-p', '--enforce', '--model', PI_MODEL, 'make it'];
			await using asked = await startProgram(roostArgv(...argv), { cwd: rig.project, env });
			const roost = await reachRoost(env.ROOST_HOME ?? '', asked.output);
			const ask = await waitFor(async () => (await read(roost, '/asks'))[0], {
				deadlineMs: DEADLINE_MS,
				what: 'the ask',
				seen: asked.output,
			});
			expect(ask).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command: 'touch made' } });
			expect(existsSync(join(rig.project, 'made'))).toBe(false);
			const { id: askId, nonce, sessionId } = ask;
			const allowed = { askId, nonce, decision: 'allow', persist: false };
			expect(await roost.call('POST', `/api/v1/sessions/${sessionId}/approve`, allowed)).toMatchObject({ status: 200 });
			expect(await asked.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0, stdout: 'Done.\n' });
			expect(existsSync(join(rig.project, 'made'))).toBe(true);
			const [session] = await read(roost, '/sessions');
			expect(session).toMatchObject({ agent: 'pi', status: 'ended', projectPath: rig.project, title: 'make it' });
			const kinds = new Set((await read(roost, `/sessions/${sessionId}/events`)).map((line) => line.event.kind));
			const wanted = ['user.prompt', 'tool.pre', 'permission.decision', 'tool.post', 'agent.message', 'usage.update', 'run.end'];
			expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
			await using down = await startProgram(roostArgv('down', '--force'), { cwd: rig.project, env });
			await down.waitForExit(DEADLINE_MS);
		},
		DEADLINE_MS,
	);
});

/** A user with the `pi` of the rig and an empty Roost home. */
async function piUserEnv(rig: PiRig): Promise<Record<string, string>> {
	await symlink(rig.program, join(rig.home, 'pi'));
	return { ...rig.env, PATH: `${rig.home}:${rig.env.PATH}`, ROOST_HOME: join(rig.home, 'roost') };
}

/** A list, or the list inside the response. */
async function read(roost: ReachedRunner, path: string) {
	const body = JSON.parse((await roost.call('GET', `/api/v1${path}`)).body);
	return Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
}
