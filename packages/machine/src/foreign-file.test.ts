import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { putLinks } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { openRegularFile } from './foreign-file.ts';

async function putPipe(path: string): Promise<void> {
	await using made = await startProgram(['mkfifo', path], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
	expect(await made.waitForExit(60_000)).toMatchObject({ code: 0 });
}

describe('untrusted file', () => {
	it('is opened only if it is a regular file of bounded size', async () => {
		await using temp = await createTempDir();
		const at = (name: string) => join(temp.path, name);
		await writeFile(at('plain'), 'text');
		await writeFile(at('sparse'), '');
		await truncate(at('sparse'), 1024 ** 4);
		await mkdir(at('folder'));
		await putPipe(at('pipe'));
		await putLinks(temp.path, { link: at('plain'), zero: '/dev/zero' });
		const opened = await openRegularFile(at('plain'));
		await using _file = opened.file;
		expect(opened.size).toBe(4);
		for (const path of [...['sparse', 'folder', 'pipe', 'link', 'zero'].map(at), '/dev/zero', '/dev/random'])
			await expect(openRegularFile(path), path).rejects.toMatchObject({ code: 'unsafe_path' });
		await expect(openRegularFile(at('missing'))).rejects.toMatchObject({ code: 'ENOENT' });
	});
});
