// A directory of one's own under the system's temporary directory, gone when its scope ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryDirectory = Disposable & { path: string };

export function createTemporaryDirectory(): TemporaryDirectory {
	const path = mkdtempSync(join(tmpdir(), 'roost-store-'));
	return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
