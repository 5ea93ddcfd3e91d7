import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { isOpenInClaude } from './is-open-in-claude.ts';

const STATUS = { pid: process.pid, sessionId: 's-1', status: 'idle', statusUpdatedAt: 42 };

async function createWorld(files: Record<string, object>) {
	const temp = await createTempDir();
	await mkdir(join(temp.path, 'sessions'));
	for (const [name, status] of Object.entries(files)) await writeFile(join(temp.path, 'sessions', name), JSON.stringify(status));
	return temp;
}

describe('a conversation', () => {
	it('is open where a claude that runs says so', async () => {
		await using temp = await createWorld({ 'x.json': {}, [`${process.pid}.json`]: STATUS });
		expect(await isOpenInClaude(temp.path, 's-1')).toBe(true);
		expect(await isOpenInClaude(temp.path, 's-2')).toBe(false);
	});

	it('is not open where only the file of a dead claude is left, or none ever was', async () => {
		await using temp = await createWorld({ [`${process.pid}.json`]: { ...STATUS, procStart: '1' } });
		expect(await isOpenInClaude(temp.path, 's-1')).toBe(process.platform !== 'linux');
		expect(await isOpenInClaude(join(temp.path, 'nowhere'), 's-1')).toBe(false);
	});
});
