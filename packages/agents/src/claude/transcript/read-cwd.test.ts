// The working directory of a session, from valid and invalid transcripts.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPastClaude, pastPrompt } from '@roost/testkit/rigs/agents/past-claude';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { claudeProjectsFolder, findTranscripts, isNativeId, readCwd } from './transcript-folders.ts';

const SAMPLE = new URL('./samples/session.jsonl', import.meta.url).pathname;
const PLACED = JSON.stringify({ type: 'user', cwd: '/home/dev/app' });

describe('working directory of a session', () => {
	it('is read from a recorded transcript', async () => {
		expect(await readCwd(SAMPLE)).toBe('/home/dev/project');
	});

	it('is the first one in the transcript', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'transcript.jsonl');
		await writeFile(path, `${PLACED}\n{"cwd":"/home/dev/elsewhere"}\n`);
		expect(await readCwd(path)).toBe('/home/dev/app');
	});

	it.each([
		['garbage and binary data before it', `\u0000\u0001\ufffd{\n{"cwd":\n"cwd"\n[1]\n${PLACED}\n`, '/home/dev/app'],
		['a very long line before it', `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}\n${PLACED}\n`, '/home/dev/app'],
		[
			'a long first prompt',
			JSON.stringify({ type: 'user', message: 'x'.repeat(5_000_000), cwd: '/home/dev/app' }),
			'/home/dev/app',
		],
		['no line with a directory', '{"type":"summary"}\n{"type":"user","message":{"cwd":"/inner"}}\n', null],
		['no content', '', null],
		['a directory that is not a string', '{"cwd":7}\n{"cwd":null}\n{"cwd":""}\n', null],
		['a directory with ..', '{"cwd":"/home/dev/../../etc"}', null],
		['a relative directory', '{"cwd":"home"}', null],
		['a directory with a NUL', '{"cwd":"/home/\\u0000dev"}', null],
		['an overlong path', `{"cwd":"/${'x'.repeat(10_000)}"}`, null],
	])('is returned if valid, otherwise null, with %s', async (_, text, expected) => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'transcript.jsonl');
		await writeFile(path, text);
		expect(await readCwd(path)).toBe(expected);
	});

	it('is searched only at the beginning of a transcript', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'transcript.jsonl');
		await writeFile(path, `${`${'x'.repeat(1024 * 1024 - 1)}\n`.repeat(17)}${PLACED}\n`);
		expect(await readCwd(path)).toBeNull();
	});
});

describe('Claude transcripts', () => {
	it('are the files named after a session id', async () => {
		await using temp = await createTempDir();
		const past = await createPastClaude(temp.path);
		const id = await past.add({ cwd: '/x', lines: [pastPrompt('one')] });
		const other = await past.add({ cwd: '/x', under: 'another' });
		await past.add({ cwd: '/x', id: 'agent-a1' });
		await past.add({ cwd: '/x', id: '--resume' });
		await writeFile(join(past.folder, 'file'), '');
		await mkdir(past.pathOf('00000000-0000-4000-8000-000000000000'));
		const { files, problems } = await findTranscripts(past.folder);
		expect(files.map(({ nativeId }) => nativeId).sort()).toEqual([id, other].sort());
		expect(files[0]).toMatchObject({ size: expect.any(Number), mtimeMs: expect.any(Number) });
		expect(problems).toEqual([]);
	});

	it('are an empty list if Claude was never used', async () => {
		await using temp = await createTempDir();
		expect(await findTranscripts(join(temp.path, 'projects'))).toEqual({ files: [], problems: [] });
	});

	it('are in CLAUDE_CONFIG_DIR if it is absolute, otherwise in the home directory', () => {
		expect(claudeProjectsFolder({ HOME: '/home/dev' })).toBe('/home/dev/.claude/projects');
		expect(claudeProjectsFolder({ HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/etc/claude' })).toBe('/etc/claude/projects');
		expect(claudeProjectsFolder({ HOME: '/home/dev', CLAUDE_CONFIG_DIR: 'relative' })).toBe('/home/dev/.claude/projects');
	});

	it.each([
		'',
		'--resume',
		'4fa5b0bb',
		'../../etc/passwd',
		'4fa5b0bb-1721-4772-9089-532f42d1dd5e\n',
		' 4fa5b0bb-1721-4772-9089-532f42d1dd5e',
	])('do not accept %j as a session id', (text) => {
		expect(isNativeId(text)).toBe(false);
	});
});
