// A conversation of the real claude that Roost observed is resumed as a driven session.
import { say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { describe, expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000d';

describe('roost projects resume', () => {
	it('resumes an observed session as a new one that is linked to it', { timeout: 180_000 }, async () => {
		await using claude = await openClaudeRig({ script: scriptTurns([say('Hello, Ada.')], [say('You are Ada.')]) });
		const env = claude.roostEnv;
		const observed = await roost(claude, env, 'claude', '-p', `--session-id=${NATIVE}`, 'I am Ada.');
		expect(observed).toMatchObject({ code: 0, stdout: 'Hello, Ada.\n' });
		const [parent] = JSON.parse((await roost(claude, env, 'sessions', '--json')).stdout);

		const resumed = await roost(claude, env, 'projects', 'resume', '.', NATIVE, '--json');
		expect(resumed).toMatchObject({ code: 0 });
		const { sessionId } = JSON.parse(resumed.stdout);
		const asked = await roost(claude, env, 'run', '--resume', sessionId, 'Who am I?');
		expect(asked).toMatchObject({ code: 0, stdout: 'You are Ada.\n' });
		expect(JSON.stringify(claude.requests.at(-1)?.body)).toMatch(/I am Ada\..*Hello, Ada\..*Who am I\?/);

		const sessions = JSON.parse((await roost(claude, env, 'sessions', '--json')).stdout);
		expect(sessions).toHaveLength(2);
		expect(sessions).toContainEqual(
			expect.objectContaining({ id: sessionId, driven: true, parentId: parent.id, title: 'I am Ada.' }),
		);
		// The agent's last response is recorded only in the new session.
		expect(sessions.find(({ id }: { id: string }) => id === parent.id)).toMatchObject({ events: parent.events, status: 'ended' });
	});
});

async function roost(claude: ClaudeRig, env: Record<string, string>, ...args: string[]) {
	await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
	return await program.waitForExit(120_000);
}
