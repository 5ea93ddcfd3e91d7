// The usage of a growing transcript always equals that of the whole file, without reading it again.
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createTranscriptUsage, readTranscript } from './read-transcript.ts';

describe('usage of a growing transcript', () => {
	it('matches a full read after every line, including subagents', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		const subagents = join(temp.path, 'session', 'subagents');
		await mkdir(subagents, { recursive: true });
		await writeFile(path, '');
		const usage = createTranscriptUsage(path);
		for (const [file, id, output] of [
			[path, 'm1', 1],
			[path, 'm1', 9],
			[join(subagents, 'agent-a.jsonl'), 's1', 5],
			[path, 'm2', 2],
			[join(subagents, 'agent-a.jsonl'), 's1', 7],
		] as const) {
			await appendFile(file, `${answer(id, output)}\n`);
			const whole = await readTranscript(path);
			expect(await usage.read()).toEqual({ ok: true, value: whole.ok && whole.value.usage });
		}
		expect(await usage.read()).toMatchObject({ value: { small: { input_tokens: 30, output_tokens: 18 } } });
	});

	it('is counted without rereading earlier lines', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		await writeFile(path, `${answer('m1', 1)}\n`);
		const usage = createTranscriptUsage(path);
		await usage.read();
		// The same length as before, so that only a complete read notices the change.
		await writeFile(path, `${answer('m1', 8)}\n${answer('m2', 2)}\n`);
		expect(await usage.read()).toMatchObject({ value: { small: { output_tokens: 3 } } });
	});

	it('excludes an incomplete line until it is finished', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		const line = `${answer('m2', 2)}\n`;
		await writeFile(path, `${answer('m1', 1)}\n${line.slice(0, 40)}`);
		const usage = createTranscriptUsage(path);
		expect(await usage.read()).toMatchObject({ value: { small: { output_tokens: 1 } } });
		await appendFile(path, line.slice(40));
		expect(await usage.read()).toMatchObject({ value: { small: { output_tokens: 3 } } });
	});

	it('is reread if the file shrinks, without counting a message twice', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		await writeFile(path, `${answer('m1', 1)}\n${answer('m2', 2)}\n`);
		const usage = createTranscriptUsage(path);
		await usage.read();
		await writeFile(path, `${answer('m2', 2)}\n`);
		expect(await usage.read()).toMatchObject({ value: { small: { input_tokens: 20, output_tokens: 3 } } });
	});

	it('returns not_found while the transcript is missing, and counts it once it exists', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		const usage = createTranscriptUsage(path);
		expect(await usage.read()).toMatchObject({ ok: false, error: { code: 'not_found' } });
		await writeFile(path, `${answer('m1', 1)}\n`);
		expect(await usage.read()).toMatchObject({ value: { small: { output_tokens: 1 } } });
		await rm(path);
		expect(await usage.read()).toMatchObject({ ok: false });
	});
});

function answer(id: string, output: number): string {
	const usage = { input_tokens: 10, output_tokens: output };
	return JSON.stringify({ type: 'assistant', message: { id, model: 'small', content: [{ type: 'text', text: 'hi' }], usage } });
}
