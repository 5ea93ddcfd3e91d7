import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectId } from '@roost/protocol/ids';
import { type Driven, driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunner, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

type Place = { folder: string; env: Readonly<Record<string, string>> };

async function show({ folder, env }: Place, ...runs: string[][]): Promise<Driven[]> {
	const all = runs.map((args) => ['sessions', 'show', ...args]);
	return await driveCli(all, { cwd: folder, env: { ...env } });
}

function readTable(shown: Driven | undefined): Record<string, string> {
	const lines = (shown?.stdout ?? '').trimEnd().split('\n');
	return Object.fromEntries(lines.map((line) => line.split(/ {2,}/)));
}

/** Writes the status file of a claude with this conversation; its pid is that of this process. */
async function sayStatus({ folder }: Place, sessionId: string, message: object): Promise<void> {
	const sessions = join(folder, '.claude', 'sessions');
	await mkdir(sessions, { recursive: true });
	const content = { pid: process.pid, sessionId, statusUpdatedAt: Date.now() - 7_200_000, ...message };
	await writeFile(join(sessions, `${process.pid}.json`), JSON.stringify(content));
}

describe('roost sessions show', { timeout: 120_000 }, () => {
	it('shows the status reported by Claude, or the last recorded one if no runner is up', async () => {
		await using roost = await startRunnerProcess();
		const agent = await roost.openLaunch();
		const reported = { session_id: 'n1', cwd: roost.folder };
		await agent.report({ ...reported, hook_event_name: 'SessionStart', source: 'startup', model: 'opus' });
		await agent.report({ ...reported, hook_event_name: 'UserPromptSubmit', prompt: 'explain it' });
		const path = `/api/v1/sessions/${agent.sessionId}`;
		const byHooks = JSON.parse((await roost.call('GET', path)).body).agentStatus;
		expect(byHooks).toMatchObject({ status: 'busy', source: 'hooks' });
		// Events that Roost itself records do not change the time of the agent's report.
		const renamed = await roost.call('POST', `${path}/rename`, { commandId: 'c1', title: 'mine' });
		expect(renamed.status).toBe(200);
		expect(JSON.parse((await roost.call('GET', path)).body).agentStatus).toEqual(byHooks);
		await sayStatus(roost, 'n1', { status: 'waiting', waitingFor: 'permission prompt' });
		const id = agent.sessionId;
		await waitFor(async () => (JSON.parse((await roost.call('GET', path)).body).ownDialog === 'open' ? true : undefined), {
			what: 'the record to show that it waits',
		});
		const [shown, forPrograms] = await show(roost, [id.slice(0, 6)], [id, '--json']);
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		expect(readTable(shown)).toMatchObject({
			SESSION: id,
			title: 'mine',
			agent: 'claude',
			project: roost.folder,
			mode: 'observed',
			status: expect.stringMatching(/^waiting in Claude, \d+s ago$/),
			queued: '-',
			terminal: '-',
			'native id': 'n1',
			tokens: '-',
		});
		expect(JSON.parse(forPrograms?.stdout ?? '')).toMatchObject({
			session: { id, status: 'waiting', ownDialog: 'open' },
			agentStatus: { status: 'waiting', waitingFor: 'permission prompt', source: 'file' },
			prompts: [],
			terminal: null,
		});

		roost.program.signal('SIGKILL');
		await roost.program.waitForExit(60_000);
		const [alone, aloneForPrograms, none] = await show(roost, [id], [id, '--json'], ['nope']);
		expect(readTable(alone)).toMatchObject({
			title: 'mine',
			status: expect.stringMatching(/^unknown \(last recorded: waiting in Claude; no runner is up\), \d+s ago$/),
		});
		expect(JSON.parse(aloneForPrograms?.stdout ?? '')).toMatchObject({ agentStatus: { status: 'unknown', source: 'none' } });
		expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Session "nope" not found') });
	});

	it('shows how a session is driven, its queued prompts, and the recorded status', async () => {
		await using roost = await startRunner();
		const body = { projectId: projectId.parse(roost.folder), agent: 'mock', permissionMode: 'acceptEdits' };
		const { sessionId: id } = unwrap(await roost.api.sessions.create({ commandId: 'c1', ...body, prompt: 'explain it' }));
		unwrap(await roost.api.sessions.message({ commandId: 'c2', id, text: 'and then\u001b[2J this' }));
		const [shown] = await show(roost, [id]);
		expect(readTable(shown)).toMatchObject({
			agent: 'mock',
			mode: 'driven',
			permissions: 'acceptEdits',
			status: expect.stringMatching(/^working, \d+s ago$/),
			queued: '1 prompt, first: and then\\x1b[2J this',
		});
	});
});
