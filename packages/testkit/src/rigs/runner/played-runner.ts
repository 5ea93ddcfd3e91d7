// A runner that a test plays: the real gateway over a test backend, found by programs as the one of a home.
import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { startGateway } from '@roost/gateway/gateway';
import { ensureHome, resolveHome } from '@roost/home/home';
import { writeRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { createTestBackend, type TestBackend } from '../api/test-backend.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export type PlayedRunner = AsyncDisposable & {
	readonly world: TestBackend;
	/** Its sessions are of this project. */
	readonly folder: string;
	readonly env: Readonly<Record<string, string>>;
	readonly url: string;
	readonly token: string;
};

export async function playRunner(): Promise<PlayedRunner> {
	await using stack = new AsyncDisposableStack();
	const temp = await realpath(stack.use(await createTempDir()).path);
	const folder = join(temp, 'project');
	await mkdir(folder);
	const env = { PATH: process.env.PATH ?? '', HOME: temp, ROOST_HOME: join(temp, 'roost') };
	const home = unwrap(resolveHome(env));
	unwrap(ensureHome(home));
	const token = unwrap(keepToken({ home, env }));
	const world = stack.use(createTestBackend({ project: folder }));
	const listening = { host: '127.0.0.1', port: 0, token, now: Date.now, newId: randomUUID };
	const gateway = unwrap(await startGateway({ ...listening, backend: world.backend }));
	stack.defer(() => gateway.close());
	unwrap(writeRunnerFile(home, { port: gateway.port, version: '0.1.0', startedAt: Date.now() }));
	const owned = stack.move();
	return { world, folder, env, url: gateway.url, token, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
