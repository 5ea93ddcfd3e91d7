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

describe('conversation', () => {
	it('is open if the status file of a running claude names it', async () => {
		await using temp = await createWorld({ 'x.json': {}, [`${process.pid}.json`]: STATUS });
		expect(await findOpenClaudes(temp.path, 's-1')).toEqual([process.pid]);
		expect(await findOpenClaudes(temp.path, 's-2')).toEqual([]);
	});

	it('is open even if the status of its claude is unknown or missing', async () => {
		const { status: _status, ...bare } = STATUS;
		for (const one of [{ ...STATUS, status: 'dreaming' }, bare]) {
			await using temp = await createWorld({ [`${process.pid}.json`]: one });
			expect(await findOpenClaudes(temp.path, 's-1')).toEqual([process.pid]);
		}
	});

	it('is not open if its claude is dead or there are no status files', async () => {
		await using temp = await createWorld({ [`${process.pid}.json`]: { ...STATUS, procStart: '1' } });
		expect(await findOpenClaudes(temp.path, 's-1')).toHaveLength(process.platform === 'linux' ? 0 : 1);
		expect(await findOpenClaudes(join(temp.path, 'nowhere'), 's-1')).toEqual([]);
	});
});
