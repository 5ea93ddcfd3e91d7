import { createServer } from 'node:http';
import { writeRunnerFile } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type AskedApi, checkRunner, createImpatientFetch } from './check-runner.ts';

const REFUSED = err(new AppError('unauthorized', 'not this token'));
const HUNG = err(new AppError('cannot_start', 'no answer in time'));

describe('runner check', () => {
	it('passes when none is up', async () => {
		await using temp = await createTempDir();
		expect(await checkRunner({ run: temp.path }, answering())).toMatchObject([
			{ state: 'ok', says: expect.stringContaining('none is up') },
		]);
	});

	it('passes when the runner answers, accepts the token and has the same version', async () => {
		await using world = await openRunning();
		expect(await checkRunner(world.home, answering())).toMatchObject([
			{ state: 'ok', says: expect.stringContaining('port 3100') },
		]);
	});

	it.each([
		['does not answer', { server: { health: async () => HUNG } }, VERSION, 'does not answer: no answer in time'],
		['rejects our token', { rules: { list: async () => REFUSED } }, VERSION, 'rejects our token: not this token'],
		['has another version', {}, '0.0.9', `has version 0.0.9, this command has ${VERSION}`],
	])('fails when the runner %s', async (_what, other, version, says) => {
		await using world = await openRunning(version);
		expect(await checkRunner(world.home, answering(other))).toMatchObject([
			{ state: 'fail', says: expect.stringContaining(says), remedy: expect.stringContaining('roost down') },
		]);
	});

	it('fails when no client can be created', async () => {
		await using world = await openRunning();
		expect(await checkRunner(world.home, async () => HUNG)).toMatchObject([{ state: 'fail' }]);
	});
});

describe('fetch of the checks', () => {
	it('fails at once after the first timeout', async () => {
		const server = createServer(({ url }, response) => void (url === '/hang' || response.end('{}')));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		using _closed = { [Symbol.dispose]: () => server.close().closeAllConnections() };
		const address = server.address();
		const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
		const impatient = createImpatientFetch(200);
		await expect(impatient(`${url}/hang`, {})).rejects.toMatchObject({ name: 'TimeoutError' });
		await expect(impatient(url, {})).rejects.toMatchObject({ name: 'TimeoutError' });
	});
});

async function openRunning(version = VERSION) {
	const temp = await createTempDir();
	unwrap(writeRunnerFile({ run: temp.path }, { port: 3100, version, startedAt: 1 }));
	return { home: { run: temp.path }, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

/** A healthy runner, except for `other`. */
function answering(other: Partial<AskedApi> = {}) {
	const good: AskedApi = { server: { health: async () => ok({ ok: true }) }, rules: { list: async () => ok([]) } };
	return async () => ok({ ...good, ...other });
}
