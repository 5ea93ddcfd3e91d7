// The record of a session over the API of a real runner: the same state, bytes and verdict as from the command line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { parseView } from '@roost/core/views/view-json';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import type { SessionStory } from '../rigs/runner/session-story.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';

describe('record of a session over the API', { timeout: 120_000 }, () => {
	it('exports the bytes of "roost export" as a download, which "roost verify --file" accepts', async () => {
		await using runner = await startRunnerProcess();
		const story = await endedStory(runner);
		const reply = await runner.call('GET', `/api/v1/sessions/${story.id}/export`);
		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
		expect(reply.headers['content-disposition']).toBe(`attachment; filename="roost-${story.id}.jsonl"`);
		const printed = await runner.roost('export', story.id);
		expect(reply.body).toBe(printed.stdout);
		expect(unwrap(await runner.api.feed.export({ id: story.id }))).toBe(reply.body);
		const file = join(runner.home, 'copy.jsonl');
		writeFileSync(file, reply.body);
		expect((await runner.roost('verify', '--file', file)).stdout).toContain('The export is intact');
	});

	it('has the verdict of "roost verify", also of a record that was changed', async () => {
		await using runner = await startRunnerProcess();
		const story = await endedStory(runner);
		const other = await endedStory(runner);
		expect(await verdicts(runner, story)).toMatchObject({ api: { intact: true, problems: [] } });
		tamper(runner, story);
		const { api, printed } = await verdicts(runner, story);
		expect(api).toEqual(printed);
		expect(api).toMatchObject({
			intact: false,
			problems: expect.arrayContaining([expect.stringContaining('was changed or moved')]),
		});
		expect(unwrapError(await runner.api.feed.export({ id: story.id })).message).toContain('not intact');
		expect(await verdicts(runner, other)).toMatchObject({ api: { intact: true } });
	});

	it('has the state of the session live, and the same after a restart', async () => {
		await using runner = await startRunnerProcess();
		const story = await endedStory(runner);
		const live = await viewOf(runner, story);
		expect(live).toEqual(await foldedView(story));
		await runner.kill();
		await runner.restart();
		expect(await viewOf(runner, runner.find(story.id))).toEqual(await foldedView(runner.find(story.id)));
	});

	it('refuses sessions that do not exist', async () => {
		await using runner = await startRunnerProcess();
		const id = sessionId.parse('none');
		const { feed, record } = runner.api;
		for (const reply of [
			await feed.rows({ id }),
			await feed.view({ id }),
			await feed.export({ id }),
			await record.verify({ id }),
		])
			expect(unwrapError(reply).code).toBe('not_found');
	});
});

let sessions = 0;

async function endedStory(runner: RunnerProcess): Promise<SessionStory> {
	const agent = await runner.openLaunch();
	sessions += 1;
	const session_id = `5f0c8f7e-0000-4000-8000-${String(sessions).padStart(12, '0')}`;
	const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' };
	for (const report of [
		{ hook_event_name: 'SessionStart', source: 'startup' },
		{ hook_event_name: 'UserPromptSubmit', prompt: 'explain it', cwd: runner.folder },
		{ hook_event_name: 'PreToolUse', ...call },
		{ hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: 'a' } },
		{ hook_event_name: 'SessionEnd', reason: 'other' },
	])
		await agent.report({ session_id, ...report });
	const story = runner.find(agent.sessionId);
	await story.until('session.end');
	return story;
}

async function verdicts(runner: RunnerProcess, { id }: SessionStory) {
	const { streams, problems, intact } = JSON.parse((await runner.roost('verify', id, '--json')).stdout);
	const [{ events, head, problems: own }] = streams;
	const printed = { intact, events, head, problems: [...own, ...problems] };
	return { api: unwrap(await runner.api.record.verify({ id })), printed };
}

function tamper({ home }: RunnerProcess, { id }: SessionStory): void {
	const db = new DatabaseSync(join(home, 'roost.db'));
	const streamNo = '(SELECT stream_no FROM streams WHERE stream = ?)';
	db.prepare(`UPDATE events SET line = replace(line, 'explain', 'Explain') WHERE stream_no = ${streamNo}`).run(id);
	db.close();
}

async function viewOf(runner: RunnerProcess, { id }: SessionStory) {
	const { offset, view } = unwrap(await runner.api.feed.view({ id }));
	return { offset, view: parseView(view) };
}

async function foldedView(story: SessionStory) {
	const view = createSessionView(story.id);
	const facts = await story.facts();
	for (const event of facts) foldSessionView(view, event);
	return { offset: facts.length, view };
}
