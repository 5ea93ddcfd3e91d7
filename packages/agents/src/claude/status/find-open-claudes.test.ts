import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { findOpenClaudes } from './status-file.ts';

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
		expect(await findOpenClaudes(temp.path, 's-1')).toEqual([process.pid]);
		expect(await findOpenClaudes(temp.path, 's-2')).toEqual([]);
	});

	it('is open also where its claude does what nobody knows, or says nothing of it', async () => {
		const { status: _status, ...bare } = STATUS;
		for (const one of [{ ...STATUS, status: 'dreaming' }, bare]) {
			await using temp = await createWorld({ [`${process.pid}.json`]: one });
			expect(await findOpenClaudes(temp.path, 's-1')).toEqual([process.pid]);
		}
	});

	it('is not open where only the file of a dead claude is left, or none ever was', async () => {
		await using temp = await createWorld({ [`${process.pid}.json`]: { ...STATUS, procStart: '1' } });
		expect(await findOpenClaudes(temp.path, 's-1')).toHaveLength(process.platform === 'linux' ? 0 : 1);
		expect(await findOpenClaudes(join(temp.path, 'nowhere'), 's-1')).toEqual([]);
	});
});
