import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { readTranscriptSample } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { summariseTranscript } from './summaries.ts';

describe('transcript summary at the end of a session', () => {
	it('contains messages and usage for Claude, or an error if the transcript is unreadable', async () => {
		await using world = await openWorld();
		const facts = await summariseTranscript({ path: world.path, agent: 'claude', since: 0, nativeIds: [] });
		expect(facts.map(({ kind }) => kind)).toEqual(['session.summary', 'usage.update']);
		expect(await summariseTranscript({ path: `${world.path}.gone`, agent: 'claude', since: 0, nativeIds: [] })).toMatchObject([
			{ data: { error: expect.any(String) } },
		]);
	});

	it('is empty for agents without readable transcripts, which are not parsed as Claude', async () => {
		await using world = await openWorld();
		for (const agent of ['mock', 'acp:some agent'])
			expect(await summariseTranscript({ path: world.path, agent, since: 0, nativeIds: [] })).toEqual([]);
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const path = join(temp.path, 'session.jsonl');
	await writeFile(path, readTranscriptSample().join('\n'));
	return { path, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
