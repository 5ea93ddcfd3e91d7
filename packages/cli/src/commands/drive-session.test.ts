// Commands for driven sessions: prompt, interrupt, fork, change settings, end.
import type { SessionId } from '@roost/protocol/ids';
import { copiedAgent, slowAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { type Driven, driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

async function drive({ folder, env }: RunnerRig, ...runs: string[][]): Promise<Driven[]> {
	return await driveCli(
		runs.map((args) => ['sessions', ...args]),
		{ cwd: folder, env: { ...env } },
	);
}

/** The prompts of its agent, in order. */
async function prompts({ api }: RunnerRig, id: SessionId): Promise<string[]> {
	const lines = unwrap(await api.feed.events({ id }));
	return lines.flatMap(({ event }) => (event.kind === 'user.prompt' ? [event.data.prompt] : []));
}

describe('roost sessions', { timeout: 120_000 }, () => {
	it('sends prompts, lists and cancels queued prompts, interrupts and ends the session', async () => {
		await using roost = await startRunner({ drives: slowAgent() });
		const id = await roost.startSession();
		const [sent, first, second, listed, forPrograms] = await drive(
			roost,
			['send', id.slice(0, 6), 'explain', 'it'],
			['send', id, 'and\u001b[2J then', '--json'],
			['send', id, 'never this'],
			['queue', id],
			['queue', id, '--json'],
		);
		expect(sent).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`Sent to ${id}: `) });
		expect(JSON.parse(first?.stdout ?? '')).toMatchObject({
			sessionId: id,
			queued: { text: 'and\u001b[2J then' },
			isInRun: false,
		});
		expect(second?.stdout).toMatch(new RegExp(`^The agent of ${id} is busy. Queued as prompt \\S+: .*sessions queue ${id}`));
		expect(listed?.stdout).toMatch(/^# +PROMPT +AGE +TEXT\n1 +\S+ +\d+s +and\\x1b\[2J then\n2 +\S+ +\d+s +never this\n$/);
		const [, { id: two }] = JSON.parse(forPrograms?.stdout ?? '');

		const [cancelled, unknown, now, none, stopped] = await drive(
			roost,
			['queue', id, '--cancel', two],
			['queue', id, '--cancel', 'nope', '--json'],
			['send', id, '--now', 'mind', 'the', 'gap'],
			['send', id, '  '],
			['interrupt', id],
		);
		expect(cancelled?.stdout).toBe(`Prompt ${two} cancelled.\n`);
		expect(unknown?.code).toBe(1);
		expect(JSON.parse(unknown?.stderr ?? '')).toMatchObject({ error: { code: 'not_found' } });
		expect(now?.stdout).toBe(`Sent into the current run of ${id}.\n`);
		expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('A prompt must have some text') });
		expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} was interrupted: write to it with `) });
		expect(await prompts(roost, id)).not.toContain('never this');

		const [ended, left, idle] = await drive(roost, ['end', id, '--json'], ['queue', id], ['interrupt', id]);
		expect(JSON.parse(ended?.stdout ?? '')).toEqual({ sessionId: id });
		expect(left?.stdout).toBe(`No queued prompts for ${id}.\n`);
		expect(idle).toMatchObject({ code: 1, stderr: 'roost: The agent is idle; nothing to interrupt.\n' });
	});

	it('edits and moves queued prompts', async () => {
		await using roost = await startRunner({ drives: slowAgent() });
		const id = await roost.startSession('keep busy');
		await drive(roost, ['send', id, 'one'], ['send', id, 'two'], ['send', id, 'three']);
		const [{ id: one }, , { id: three }] = unwrap(await roost.api.queue.list({ id })) as [
			{ id: string },
			unknown,
			{ id: string },
		];
		const [edited, moved, placed] = await drive(
			roost,
			['queue', id, '--edit', one, 'one,', 'but', 'better'],
			['queue', id, '--move', three],
			['queue', id, '--move', one, '--to', '3', '--json'],
		);
		expect(edited).toMatchObject({ code: 0, stdout: `Prompt ${one} changed.\n` });
		expect(moved).toMatchObject({ code: 0, stdout: `Prompt ${three} moved.\n` });
		expect(JSON.parse(placed?.stdout ?? '')).toEqual({ sessionId: id, promptId: one });
		expect(unwrap(await roost.api.queue.list({ id })).map(({ text }) => text)).toEqual(['three', 'two', 'one, but better']);
		const wrong = [
			['queue', id, '--edit', one],
			['queue', id, '--move', one, '--to', '0'],
			['queue', id, '--to', '1'],
			['queue', id, 'lost words'],
			['queue', id, '--edit', one, 'x', '--cancel', one],
		];
		for (const each of await drive(roost, ...wrong)) expect(each).toMatchObject({ code: 2, stdout: '' });
	});

	it('changes the model and the permission mode', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession();
		const [both, none] = await drive(roost, ['set', id, '--model', 'big', '--permission-mode', 'plan'], ['set', id]);
		expect(both).toMatchObject({ code: 0, stdout: `Model of ${id} set to big.\nPermission mode of ${id} set to plan.\n` });
		const drives = unwrap(await roost.api.feed.events({ id })).flatMap(({ event }) =>
			event.kind === 'session.drive' ? [event.data] : [],
		);
		expect(drives.at(-1)).toMatchObject({ model: 'big', permission_mode: 'plan' });
		expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to change') });
	});

	it('forks a session, whole or up to a message, by offset or native id', async () => {
		const { agent, copiedUpTo } = copiedAgent();
		await using roost = await startRunner({ drives: agent });
		const id = await roost.startSession('mend it');
		const firstMessage = async () => {
			const lines = unwrap(await roost.api.feed.events({ id }));
			return lines.flatMap(({ offset, event }) => (event.kind === 'agent.message' ? [{ offset, ...event.data }] : [])).at(0);
		};
		const message = await waitFor(firstMessage, { what: 'a message of its agent' });
		const at = String(message.offset);
		const [whole, byOffset, byId, unknown] = await drive(
			roost,
			['fork', id, '--json'],
			['fork', id, '--at', at],
			['fork', id, '--at', message.native_id ?? ''],
			['fork', id, '--at', '99999'],
		);
		expect(JSON.parse(whole?.stdout ?? '').sessionId).not.toBe(id);
		expect(byOffset?.stdout).toMatch(
			new RegExp(`^(\\S+) forked from ${id}: write to it with ".* sessions send \\1 <prompt>"\\.\n$`),
		);
		expect(byId).toMatchObject({ code: 0, stderr: '' });
		expect(copiedUpTo).toEqual([undefined, message.native_id, message.native_id]);
		expect(unknown).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('Message "99999" not found: "roost feed'),
		});
	});

	it('moves a session between Roost and a terminal, or explains why not, and refuses agents', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession();
		const [refused, back, wrong] = await drive(roost, ['mode', id, 'pty'], ['mode', id, 'sdk'], ['mode', id, 'tty']);
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('mock cannot run in a terminal') });
		expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} is driven by Roost: write to it with `) });
		expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Mode must be sdk') });

		const governed = { ...roost, env: { ...roost.env, ROOST_SESSION: id } };
		const commands = [
			['send', id, 'x'],
			['queue', id, '--cancel', 'x'],
			['queue', id, '--edit', 'x', 'y'],
			['queue', id, '--move', 'x'],
			['set', id, '--model', 'x'],
			['interrupt', id],
			['end', id],
			['fork', id],
			['mode', id, 'sdk'],
		];
		for (const each of await drive(governed, ...commands))
			expect(each).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Agents cannot do this') });
	});
});
