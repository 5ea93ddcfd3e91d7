// Past sessions with their subagents, including transcripts that name paths outside of the session.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '@roost/testkit/rigs/agents/past-claude';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { readPastEvents } from './read-past-events.ts';

describe('events of a past session', () => {
	it('place subagent events between its call and the result', async () => {
		await using world = await createWorld();
		const id = await world.spawning('a1');
		await world.addSubagent(id, 'a1', [
			pastPrompt('look'),
			pastCall('Grep', {}, { id: 't2' }),
			pastResult('t2', 'x'),
			pastAnswer('Found.'),
		]);
		const events = await world.read(id);
		expect(events.map(({ hookName, agentId }) => (agentId ? `${agentId} ${hookName}` : hookName))).toEqual([
			'SessionStart',
			'UserPromptSubmit',
			'PreToolUse',
			'a1 SubagentStart',
			'a1 PreToolUse',
			'a1 PostToolUse',
			'a1 MessageDisplay',
			'a1 SubagentStop',
			'PostToolUse',
			'MessageDisplay',
			'Stop',
		]);
		expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
		expect(events.find(({ hookName }) => hookName === 'SubagentStart')?.payload).toEqual({
			agent_id: 'a1',
			agent_type: 'Explore',
		});
	});

	it('report a missing subagent transcript', async () => {
		await using world = await createWorld();
		const hooks = (await world.read(await world.spawning('a1'))).map(({ hookName }) => hookName);
		expect(hooks).toEqual(expect.arrayContaining(['SubagentStart', 'RuntimeError', 'SubagentStop']));
	});

	it.each(['x/../../../../../secret', '/etc/passwd', 'a/b', '..', ''])(
		'read no file outside the session for a subagent named %j',
		async (name) => {
			await using world = await createWorld();
			const id = await world.spawning(name);
			await writeFile(join(world.path, 'secret.jsonl'), JSON.stringify(pastAnswer('s3cret')));
			const events = await world.read(id);
			expect(JSON.stringify(events)).not.toContain('s3cret');
			expect(events.at(-1)).toMatchObject({ hookName: 'Stop' });
		},
	);

	it('fail with not_found if there is no transcript', async () => {
		await expect(collect(readPastEvents({ path: '/nowhere.jsonl', nativeId: 'x' }))).rejects.toMatchObject({
			code: 'not_found',
		});
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const past = await createPastClaude(temp.path);
	return {
		path: temp.path,
		spawning: (agentId: string) =>
			past.add({
				cwd: '/x',
				lines: [
					pastPrompt('go'),
					pastCall('Task', { subagent_type: 'Explore' }, { id: 't1' }),
					pastResult('t1', 'done', { own: { agentId } }),
					pastAnswer('Done.'),
				],
			}),
		async addSubagent(id: string, agentId: string, lines: readonly object[]) {
			const folder = join(past.pathOf(id).replace(/\.jsonl$/, ''), 'subagents');
			await mkdir(folder, { recursive: true });
			const text = lines.map((line) => JSON.stringify({ ...line, isSidechain: true, agentId }));
			await writeFile(join(folder, `agent-${agentId}.jsonl`), text.join('\n'));
		},
		read: (id: string): Promise<RuntimeEvent[]> => collect(readPastEvents({ path: past.pathOf(id), nativeId: id })),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

async function collect(events: AsyncIterable<RuntimeEvent>): Promise<RuntimeEvent[]> {
	const all: RuntimeEvent[] = [];
	for await (const event of events) all.push(event);
	return all;
}
