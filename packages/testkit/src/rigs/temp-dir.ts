// A temporary directory that is removed when the test ends.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TempDir = AsyncDisposable & { readonly path: string };

/** The path is the real one: programs that resolve links report the same. */
export async function createTempDir(): Promise<TempDir> {
	const path = await realpath(await mkdtemp(join(tmpdir(), 'roost-')));
	return {
		path,
		async [Symbol.asyncDispose]() {
			await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		},
	};
}
