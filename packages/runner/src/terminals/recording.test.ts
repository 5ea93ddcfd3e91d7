import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { terminalId } from '@roost/protocol/ids';
import { createTestTerminals, programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRecording } from './recording.ts';

const SIZE = { cols: 80, rows: 24 };

async function linesOf(path: string): Promise<unknown[]> {
	return (await readFile(path, 'utf8'))
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
}

describe('recording', () => {
	it('contains the output of a terminal with times, readable only by its user', async () => {
		await using temp = await createTempDir();
		let time = 5_000;
		const deps = {
			directory: join(temp.path, 'recordings'),
			id: terminalId.parse('t1'),
			size: SIZE,
			title: 'demo',
			warn: () => {},
		};
		const recording = unwrap(openRecording({ ...deps, now: () => time }));
		time = 5_500;
		recording.output(Buffer.from('héllo\x1b[31m'));
		time = 6_000;
		recording.resize({ cols: 100, rows: 30 });
		// The clock was set back by an hour.
		time -= 3_600_000;
		recording.output(Buffer.from('later'));
		recording[Symbol.dispose]();
		expect(await linesOf(recording.path)).toEqual([
			{ version: 2, width: 80, height: 24, timestamp: 5, title: 'demo' },
			[0.5, 'o', 'héllo\x1b[31m'],
			[1, 'r', '100x30'],
			[1, 'o', 'later'],
		]);
		expect((await stat(recording.path)).mode & 0o777).toBe(0o600);
		expect((await stat(join(temp.path, 'recordings'))).mode & 0o777).toBe(0o700);
	});

	it('continues in the same file and with the same clock after a restart', async () => {
		await using temp = await createTempDir();
		const deps = { directory: temp.path, id: terminalId.parse('t3'), size: SIZE, title: 'x', warn: () => {} };
		const first = unwrap(openRecording({ ...deps, now: () => 5_000 }));
		first.output(Buffer.from('before'));
		first[Symbol.dispose]();
		const next = unwrap(openRecording({ ...deps, since: first.startedAt, now: () => 9_000 }));
		next.output(Buffer.from('after'));
		next[Symbol.dispose]();
		expect(await linesOf(next.path)).toEqual([
			{ version: 2, width: 80, height: 24, timestamp: 5, title: 'x' },
			[0, 'o', 'before'],
			[4, 'm', expect.stringContaining('Continued by another runner')],
			[4, 'r', '80x24'],
			[4, 'o', 'after'],
		]);
	});

	it('ends with a marker when it is full', async () => {
		await using temp = await createTempDir();
		const deps = { directory: temp.path, id: terminalId.parse('t2'), size: SIZE, title: 'x', now: () => 0, warn: () => {} };
		const recording = unwrap(openRecording({ ...deps, mostBytes: 1_000 }));
		for (let count = 0; count < 100; count++) recording.output(Buffer.from('twenty letters are it'));
		recording[Symbol.dispose]();
		const lines = await linesOf(recording.path);
		expect(lines.at(-1)).toEqual([0, 'm', 'The recording ends here: it reached its limit of 1000 bytes.']);
		expect((await stat(recording.path)).size).toBeLessThan(1_200);
	});

	it('is made only of a terminal for which it was requested', async () => {
		await using temp = await createTempDir();
		await using terminals = createTestTerminals({ recordings: temp.path });
		const program = programIn(temp.path, '/bin/sh', '-c', 'echo recorded');
		const plain = unwrap(await terminals.start({ program }));
		const recorded = unwrap(await terminals.start({ program, recording: true }));
		await waitFor(() => (terminals.running() === 0 ? true : undefined), { what: 'their ends' });
		expect(plain.recording).toBeNull();
		expect(await readFile(recorded.recording ?? '', 'utf8')).toContain('recorded');
	});
});
