import { appendFile } from 'node:fs/promises';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '@roost/testkit/rigs/agents/past-claude';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { readPastSession } from './read-transcript.ts';

const SAMPLE = new URL('./samples/session.jsonl', import.meta.url).pathname;

describe('past session', () => {
	it('is summarized from a recorded transcript', async () => {
		expect(unwrap(await readPastSession(SAMPLE))).toEqual({
			title: 'first SCRIPT:bash',
			messages: 7,
			toolCalls: 1,
			tokens: { input_tokens: 2853, output_tokens: 132, cache_read_tokens: 88, cache_write_tokens: 44 },
			startedAt: Date.parse('2026-11-15T02:46:01.121Z'),
			lastActivity: Date.parse('2026-11-15T02:46:06.075Z'),
		});
	});

	it('is titled by the user, otherwise by Claude, otherwise by its first prompt', async () => {
		await using world = await createWorld();
		const id = await world.past.add({ cwd: '/x', lines: [pastPrompt('Mend the\nbuild'), pastAnswer('Done.')] });
		const titleAfter = async (line: object) => {
			await appendFile(world.past.pathOf(id), `${JSON.stringify(line)}\n`);
			return unwrap(await readPastSession(world.past.pathOf(id))).title;
		};
		expect(await titleAfter({ type: 'other' })).toBe('Mend the\nbuild');
		expect(await titleAfter({ type: 'summary', summary: 'Build mended', leafUuid: 'x' })).toBe('Build mended');
		expect(await titleAfter({ type: 'custom-title', customTitle: 'My build' })).toBe('My build');
		expect(await titleAfter({ type: 'ai-title', aiTitle: 'Something else' })).toBe('My build');
	});

	it('counts no tool result, interruption or compaction summary as a message', async () => {
		await using world = await createWorld();
		const lines = [
			pastPrompt('go', { at: 5_000 }),
			pastCall('Bash', { command: 'ls' }, { id: 't1', at: 6_000 }),
			pastResult('t1', 'a b', { at: 7_000 }),
			pastPrompt('[Request interrupted by user for tool use]', { at: 8_000 }),
			{ ...pastPrompt('a summary of it all'), isCompactSummary: true },
		];
		const id = await world.past.add({ cwd: '/x', lines });
		expect(unwrap(await readPastSession(world.past.pathOf(id)))).toMatchObject({
			messages: 2,
			toolCalls: 1,
			startedAt: 5_000,
			lastActivity: 8_000,
		});
	});

	it('has no title, messages or start time if nothing in it is readable', async () => {
		await using world = await createWorld();
		const id = await world.past.add({ cwd: '/x', lines: ['garbage', '{"type":"user"}'] });
		const read = unwrap(await readPastSession(world.past.pathOf(id)));
		expect(read).toMatchObject({ title: '', messages: 0 });
		expect(read).not.toHaveProperty('startedAt');
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const past = await createPastClaude(temp.path);
	return { past, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
