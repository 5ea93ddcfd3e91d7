// Transcripts on disk: real files, missing files, and files of other kinds.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTranscript } from './read-transcript.ts';

const SAMPLE = fileURLToPath(new URL('./samples/session.jsonl', import.meta.url));

describe('transcript on disk', () => {
	it('is summarized for a recorded session', async () => {
		const result = await readTranscript(SAMPLE);
		expect(result).toMatchObject({ ok: true, value: { messages: 7, toolCalls: 1 } });
	});

	it('includes the usage of subagents, but not their messages or calls', async () => {
		await using folder = await createFolder();
		const path = join(folder.path, 'session.jsonl');
		const subagents = join(folder.path, 'session', 'subagents');
		await copyFile(SAMPLE, path);
		await mkdir(subagents, { recursive: true });
		await writeFile(join(subagents, 'agent-a1.jsonl'), `${answer('sub-1')}\n${answer('sub-1')}\n`);
		await writeFile(join(subagents, 'agent-a2.jsonl'), answer('sub-2'));
		await writeFile(join(subagents, 'notes.jsonl'), answer('not-a-subagent'));
		const result = await readTranscript(path);
		expect(result).toMatchObject({
			ok: true,
			value: { messages: 7, toolCalls: 1, usage: { small: { input_tokens: 20 }, 'claude-opus-5-5': { input_tokens: 2853 } } },
		});
	});

	it('is read even if a subagent transcript is unreadable', async () => {
		await using folder = await createFolder();
		const path = join(folder.path, 'session.jsonl');
		await copyFile(SAMPLE, path);
		await mkdir(join(folder.path, 'session', 'subagents', 'agent-a1.jsonl'), { recursive: true });
		expect(await readTranscript(path)).toMatchObject({ ok: true, value: { messages: 7 } });
	});

	it('returns not_found if it is missing', async () => {
		await using folder = await createFolder();
		await writeFile(join(folder.path, 'file'), '');
		expect(await readTranscript(join(folder.path, 'none.jsonl'))).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(await readTranscript(join(folder.path, 'file', 'none.jsonl'))).toMatchObject({ error: { code: 'not_found' } });
	});

	it('is rejected without blocking if it is a folder, device or pipe', async () => {
		await using folder = await createFolder();
		const pipe = join(folder.path, 'pipe.jsonl');
		const device = join(folder.path, 'device.jsonl');
		execFileSync('mkfifo', [pipe]);
		await symlink('/dev/zero', device);
		for (const path of [folder.path, pipe, device]) {
			expect(await readTranscript(path)).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		}
	});

	it('returns an error for an invalid path', async () => {
		expect(await readTranscript('a\0b')).toMatchObject({ ok: false, error: { code: 'internal' } });
	});

	it('has no messages if it is empty', async () => {
		await using folder = await createFolder();
		const path = join(folder.path, 'empty.jsonl');
		await writeFile(path, '');
		expect(await readTranscript(path)).toMatchObject({ ok: true, value: { messages: 0 } });
	});

	it('is read without lines that are too long', async () => {
		await using folder = await createFolder();
		const path = join(folder.path, 'long.jsonl');
		await writeFile(path, `"${'x'.repeat(9 * 1024 * 1024)}"\n${answer('m1')}\n`);
		expect(await readTranscript(path)).toMatchObject({ ok: true, value: { messages: 1 } });
	});
});

function answer(id: string): string {
	const usage = { input_tokens: 10, output_tokens: 1 };
	return JSON.stringify({ type: 'assistant', message: { id, model: 'small', content: [{ type: 'text', text: 'hi' }], usage } });
}

async function createFolder() {
	const path = await mkdtemp(join(tmpdir(), 'roost-transcript-'));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
