import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTempDir } from './temp-dir.ts';

it('is removed with its contents on disposal, and can be disposed twice', async () => {
	const directory = await createTempDir();
	await writeFile(join(directory.path, 'file'), 'words');
	await directory[Symbol.asyncDispose]();
	await directory[Symbol.asyncDispose]();
	expect(existsSync(directory.path)).toBe(false);
});
