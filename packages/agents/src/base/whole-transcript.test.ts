import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { waitUntilComplete } from './transcripts.ts';

describe('transcript that is still being written', () => {
	it('is awaited until its last line is an end line, ignoring earlier end lines', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'events.jsonl');
		await writeFile(path, 'end\nmore\n');
		let isWhole = false;
		const waited = waitUntilComplete(path, (line) => line === 'end').then(() => {
			isWhole = true;
		});
		await waitUntilComplete(path, (line) => line === 'more');
		expect(isWhole).toBe(false);
		await appendFile(path, 'end\n');
		await waited;
		expect(isWhole).toBe(true);
	});

	it.each(['/dev/zero', '/tmp'])('is not awaited if the path is %s', async (path) => {
		let looks = 0;
		await waitUntilComplete(path, () => {
			looks += 1;
			return false;
		});
		expect(looks).toBe(0);
	});
});
