// The lifecycle of a driven session with the real Claude: prompted, queued, interrupted, ended, resumed.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../fakes/gate.ts';
import { callTool, message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { findProcessesWithEnv } from '../rigs/live-processes.ts';
import type { SessionStory } from '../rigs/runner/session-story.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const DEADLINE_MS = 180_000;

describe('driven session', () => {
	it(
		'records each step of a prompt and its usage, and streams the message before it is complete',
		async () => {
			await using rig = await openDrivenClaude({ script: () => message([say('all ', 'is ', 'well')]) });
			await using watched = await rig.watch();
			const session = await rig.start({ prompt: 'first' });
			await session.until('run.end');
			const before = await session.row();
			expect(before).toMatchObject({ status: 'idle', driven: true, title: 'first', nativeIds: [{ reason: 'startup' }] });
			const [{ prompt_id } = { prompt_id: '' }] = (await session.of('prompt.update')).map(({ data }) => data);
			expect(await steps(session)).toEqual([
				'session.drive',
				'session.native',
				'session.start',
				`queued ${prompt_id}`,
				`sent ${prompt_id}`,
				'run.start',
				`user.prompt ${prompt_id}`,
				'agent.message',
				'run.end',
			]);
			// The last word is sent with the whole message: only then is it certain not to be part of a secret.
			await watched.sees(session.id, ['all ', 'is ']);

			await session.say('again');
			expect((await session.row()).nativeIds).toEqual(before.nativeIds);
			expect(await session.of('session.start')).toHaveLength(1);
			expect((await session.of('agent.message')).map(({ data }) => data.text)).toEqual(['all is well', 'all is well']);
			expect((await session.of('usage.update')).map(({ data }) => data.total.input_tokens)).toEqual([100, 200]);
			expect(rig.claude.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
		},
		DEADLINE_MS,
	);

	it(
		'becomes idle after commands of Claude itself, and repeats nothing after a compaction',
		async () => {
			const look = callTool('Read', { file_path: 'README.md' });
			await using rig = await openDrivenClaude({
				script: ({ lastUserText }) => message(lastUserText === 'look' ? [look] : [say('fine')]),
			});
			const session = await rig.start({ prompt: 'first' });
			await session.until('run.end');
			for (const text of ['look', '/cost', '/compact', 'and then']) {
				expect((await session.say(text)).data.status).toBe('completed');
				expect((await session.row()).status).toBe('idle');
			}
			const lines = (await session.of('agent.message')).filter(({ actor_id }) => actor_id === 'agent:root');
			expect(lines.map(({ data }) => data.text)).toEqual(['fine', 'fine', expect.stringContaining('Total cost'), 'fine']);
			expect((await session.of('compact.post')).map(({ data }) => data.compact_summary)).toEqual(['fine']);
			const used = (await session.of('usage.update')).map(({ data }) => data.total.input_tokens);
			expect(used).toEqual([...used].sort((left, right) => left - right));
			expect(used.at(-1)).toBe(100 * rig.claude.requests.length);
		},
		DEADLINE_MS,
	);

	it(
		'queues prompts while busy, applies edits and moves, and sends one at once on request',
		async () => {
			const door = createGate();
			await using rig = await openDrivenClaude({ script: waitAt(door.opened) });
			const session = await rig.start({ prompt: 'wait' });
			await session.until('run.start');
			const { api } = rig;
			const queue = async () => unwrap(await api.queue.list({ id: session.id })).map(({ text }) => text);
			const [one, two, three] = [await session.send('one'), await session.send('two'), await session.send('three')];
			expect(await queue()).toEqual(['one', 'two', 'three']);
			unwrap(await api.queue.move({ commandId: crypto.randomUUID(), id: session.id, promptId: three, to: 0 }));
			unwrap(await api.queue.edit({ commandId: crypto.randomUUID(), id: session.id, promptId: two, text: 'second' }));
			unwrap(await api.queue.cancel({ commandId: crypto.randomUUID(), id: session.id, promptId: one }));
			expect(await queue()).toEqual(['three', 'second']);
			door.open();
			await session.until('run.end', 3);
			expect((await session.of('user.prompt')).map(({ data }) => data.prompt)).toEqual(['wait', 'three', 'second']);
			expect(rig.claude.requests.map(({ lastUserText }) => lastUserText)).toEqual(['wait', 'three', 'second']);
			expect(await queue()).toEqual([]);

			await session.send('work');
			await session.decide('allow');
			const steering = await session.send('mind the gap');
			unwrap(await api.queue.sendNow({ commandId: crypto.randomUUID(), id: session.id, promptId: steering }));
			expect(await queue()).toEqual([]);
			const isTaken = async () => ((await conversations(rig)).includes('mind the gap') ? true : undefined);
			await waitFor(isTaken, { deadlineMs: DEADLINE_MS, what: 'Claude to have the prompt' });
			await writeFile(join(rig.claude.project, 'go'), '');
			await session.until('run.end', 4);
			const [work, taken] = (await session.of('user.prompt')).slice(-2);
			expect([taken?.data.prompt_id, taken?.run_id]).toEqual([steering, work?.run_id]);
			expect(JSON.stringify(rig.claude.requests.at(-1)?.body)).toContain('mind the gap');
			expect(await session.of('run.start')).toHaveLength(4);
		},
		DEADLINE_MS,
	);

	it(
		'is interrupted before it begins, while it answers and while it asks, and then continues',
		async () => {
			const never = createGate();
			await using rig = await openDrivenClaude({
				script: ({ lastUserText, toolResults }) => {
					if (lastUserText.endsWith('speak')) return message([say('half a ', 'word')], { pace: { gate: never } });
					if (lastUserText.endsWith('ask') && toolResults.length === 0) return message([touch('asked')]);
					return message([say('fine')]);
				},
			});
			await using watched = await rig.watch();
			const session = await rig.start({ prompt: 'speak' });
			await session.interrupt();
			expect((await session.until('run.end')).data).toMatchObject({ status: 'aborted' });
			await session.send('speak');
			await watched.sees(session.id, ['half a ']);
			await session.interrupt();
			expect((await session.until('run.end', 2)).data).toMatchObject({ status: 'aborted' });
			expect((await session.of('agent.message')).map(({ data }) => data.text)).toEqual(['half a ']);
			await session.send('ask');
			const ask = await session.asked();
			await session.interrupt();
			expect((await session.until('run.end', 3)).data).toMatchObject({ status: 'aborted' });
			expect(unwrap(await rig.api.asks.list({ all: true })).find(({ id }) => id === ask.id)?.state).toBe('cancelled');
			expect((await session.say('well?')).data.status).toBe('completed');
			expect(existsSync(join(rig.claude.project, 'asked'))).toBe(false);
			expect((await session.row()).status).toBe('idle');
		},
		DEADLINE_MS,
	);

	it(
		'ends, and resumes the same conversation with a new prompt',
		async () => {
			await using rig = await openDrivenClaude({ script: () => message([say('fine')]) });
			const session = await rig.start({ prompt: 'first' });
			await session.until('run.end');
			const [native] = (await session.row()).nativeIds;
			await session.end();
			expect(await findProcessesWithEnv(`ROOST_SESSION=${session.id}`)).toEqual([]);
			expect((await session.row()).status).toBe('ended');
			expect(await session.of('session.end')).toHaveLength(1);
			await session.say('are you there?');
			expect((await session.of('session.start')).map(({ data }) => data.source)).toEqual(['startup', 'resume']);
			expect(await session.row()).toMatchObject({ status: 'idle', nativeIds: [native] });
			expect(rig.spoken()).toEqual(['first', 'fine', 'are you there?']);
		},
		DEADLINE_MS,
	);
});

const STEPS: ReadonlySet<string> = new Set([
	'session.drive',
	'session.start',
	'session.native',
	'run.start',
	'agent.message',
	'run.end',
]);

/** The main events only. */
async function steps(session: SessionStory): Promise<string[]> {
	return (await session.facts()).flatMap((fact) => {
		if (fact.kind === 'prompt.update') return [`${fact.data.state} ${fact.data.prompt_id}`];
		if (fact.kind === 'user.prompt') return [`user.prompt ${fact.data.prompt_id}`];
		return STEPS.has(fact.kind) ? [fact.kind] : [];
	});
}

/** Everything that Claude stores of its conversations. */
async function conversations({ claude }: DrivenClaude): Promise<string> {
	const root = join(claude.configDir, 'projects');
	const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.jsonl'));
	return (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
}

function touch(file: string) {
	return callTool('Bash', { command: `touch ${file}`, description: 'make a file' });
}

/** Answers the prompt "wait" only when the door is open. */
function waitAt(door: Promise<void>): Script {
	return async ({ lastUserText, toolResults }) => {
		if (lastUserText === 'wait') await door;
		const command = 'until [ -e go ]; do sleep 0.1; done; touch seen';
		if (lastUserText === 'work' && toolResults.length === 0)
			return message([callTool('Bash', { command, description: 'wait for a file' })]);
		return message([say('fine')]);
	};
}
