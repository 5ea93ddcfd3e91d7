// Commands for lists of sessions: list, rename, archive, and resume sessions that Roost did not observe.
import { join } from 'node:path';
import { projectId } from '@roost/protocol/ids';
import { createPastClaude } from '@roost/testkit/rigs/agents/past-claude';
import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { startProgram } from '@roost/testkit/rigs/program';
import { type Driven, driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const PAST = '5f0c8f7e-0000-4000-8000-000000000001';

async function drive(roost: RunnerRig, ...runs: string[][]): Promise<Driven[]> {
	return await driveCli(runs, { cwd: roost.folder, env: roost.env });
}

describe('roost sessions', { timeout: 120_000 }, () => {
	it('lists how each session is driven and its number of queued prompts', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('explain it');
		unwrap(await roost.api.sessions.message({ commandId: 'c1', id, text: 'and then this' }));
		const body = { projectId: projectId.parse(roost.folder), agent: 'mock', permissionMode: 'acceptEdits' };
		const { sessionId: other } = unwrap(await roost.api.sessions.create({ commandId: 'c2', ...body }));
		const [listed, , without] = await drive(roost, ['sessions'], ['sessions', 'archive', other], ['sessions']);
		expect(listed).toMatchObject({ code: 0, stderr: '' });
		expect(listed?.stdout).toMatch(/^SESSION +AGENT +STATE +HOW +QUEUED +AGE +EVENTS +TITLE\n/);
		expect(listed?.stdout).toMatch(new RegExp(`${other} +mock +idle +driven \\(sdk, acceptEdits\\) +- `));
		expect(listed?.stdout).toMatch(new RegExp(`${id} +mock +working +driven \\(sdk\\) +[12] .*explain it`));
		expect(without?.stdout).not.toContain(other);
		expect(without?.stderr).toBe('1 more archived. Use --archived to list them.\n');
	});

	it('leaves out archived sessions, and reports that', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const id = await roost.startSession();
		const [archived, left, asked, forPrograms, undone, again] = await drive(
			roost,
			['sessions', 'archive', id.slice(0, 6)],
			['sessions'],
			['sessions', '--archived'],
			['sessions', '--json'],
			['sessions', 'archive', id, '--undo', '--json'],
			['sessions'],
		);
		expect(archived).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`sessions archive ${id} --undo`) });
		expect(left?.stdout).toBe('All sessions are archived. Run "roost sessions --archived" to list them.\n');
		expect(asked?.stdout).toMatch(new RegExp(`${id} +mock +idle, archived`));
		expect(JSON.parse(forPrograms?.stdout ?? '')).toEqual([]);
		expect(JSON.parse(undone?.stdout ?? '')).toEqual({ sessionId: id });
		expect(again?.stdout).toMatch(new RegExp(`${id} +mock +idle `));
	});

	it('renames a session, and rejects an empty title or an unknown session', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const id = await roost.startSession('read it');
		const [named, listed, nameless, unknown] = await drive(
			roost,
			['sessions', 'rename', id, 'The slow', 'login\x1b[2J'],
			['sessions'],
			['sessions', 'rename', id, '  '],
			['sessions', 'rename', 'nope', 'x', '--json'],
		);
		expect(named?.stdout).toMatch(new RegExp(`^${id} is now called "The slow login.*"\\.\n$`));
		expect(named?.stdout).not.toContain('\x1b');
		expect(listed?.stdout).toContain('The slow login');
		expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('A title must have') });
		expect(unknown?.code).toBe(1);
		expect(JSON.parse(unknown?.stderr ?? '')).toMatchObject({ error: { code: 'not_found' } });
	});
});

describe('past session unknown to Roost', { timeout: 120_000 }, () => {
	it('is offered, and is resumed as one session however often it is requested', async () => {
		await using roost = await startRunner({ drives: fastAgent(), agent: 'claude' });
		const past = await createPastClaude(join(roost.folder, '..', '.claude'));
		await past.add({ cwd: roost.folder, id: PAST });
		const [shown, resumed, again, unknown] = await drive(
			roost,
			['projects', 'show', '.'],
			['projects', 'resume', '.', '5f0c', '--json'],
			['projects', 'resume', '.', '5f0c'],
			['projects', 'resume', '.', 'zzz'],
		);
		expect(shown?.stdout).toMatch(/resume one with "roost projects resume [0-9a-f]{8} <session>"\.\n$/);
		const { sessionId } = JSON.parse(resumed?.stdout ?? '');
		expect(again).toMatchObject({
			code: 0,
			stdout: expect.stringContaining(`Resumed as session ${sessionId} in ~/project.`),
		});
		expect(again?.stdout).toContain(`roost run --resume ${sessionId} <prompt>`);
		expect(unknown).toMatchObject({ code: 1, stderr: 'roost: No past session of this project "zzz" found.\n' });
		expect(unwrap(await roost.api.record.sessions())).toMatchObject([{ id: sessionId, nativeIds: [{ id: PAST }] }]);
	});

	it('cannot be resumed by a governed agent', async () => {
		await using roost = await startRunner({ drives: fastAgent(), agent: 'claude' });
		const env = { ...roost.env, ROOST_SESSION: 'k3f9' };
		await using program = await startProgram(roostArgv('projects', 'resume', '.', '5f0c'), { cwd: roost.folder, env });
		expect(await program.waitForExit(60_000)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('Agents cannot do this'),
		});
		expect(unwrap(await roost.api.record.sessions())).toEqual([]);
	});
});
