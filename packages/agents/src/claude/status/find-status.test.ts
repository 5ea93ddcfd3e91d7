import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { findStatus } from './status-file.ts';

async function createWorld() {
	const temp = await createTempDir();
	const sessions = join(temp.path, 'sessions');
	await mkdir(sessions);
	return {
		sessions,
		/** Writes the status file of a claude with this pid. */
		write: (pid: number, sessionId: string, over: object = {}) =>
			writeFile(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId, status: 'busy', statusUpdatedAt: 42, ...over })),
		find: (...ids: string[]) => findStatus(temp.path, ids),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

const startSleeper = () => startProgram(['sleep', '60'], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });

describe('claude with an open conversation', () => {
	it('is found if its file names any of the given ids', async () => {
		await using world = await createWorld();
		await using other = await startSleeper();
		await world.write(process.pid, 'wanted');
		await world.write(other.pid, 'other', { status: 'idle' });
		expect(await world.find('older', 'wanted')).toMatchObject({ status: 'busy', sessionId: 'wanted', at: 42 });
		expect(await world.find('other')).toMatchObject({ status: 'idle' });
		expect(await world.find('none')).toBeNull();
		expect(await world.find()).toBeNull();
	});

	it('is the one with the latest status if two have it open', async () => {
		await using world = await createWorld();
		await using other = await startSleeper();
		await world.write(process.pid, 'wanted', { statusUpdatedAt: 7 });
		await world.write(other.pid, 'wanted', { status: 'idle', statusUpdatedAt: 8 });
		expect(await world.find('wanted')).toMatchObject({ status: 'idle', at: 8 });
		await world.write(process.pid, 'wanted', { statusUpdatedAt: 9 });
		expect(await world.find('wanted')).toMatchObject({ status: 'busy', at: 9 });
	});

	it('is never a dead process, even among many stale files', async () => {
		await using world = await createWorld();
		await using program = await startSleeper();
		program.signal('SIGKILL');
		await program.waitForExit(60_000);
		await world.write(program.pid, 'wanted', { statusUpdatedAt: 99 });
		expect(await world.find('wanted')).toBeNull();
		await world.write(process.pid, 'wanted');
		// Pids that no process can have, listed first in the folder.
		await Promise.all(Array.from({ length: 300 }, (_, at) => world.write(1_000_000_000 + at, 'wanted')));
		expect(await world.find('wanted')).toMatchObject({ at: 42 });
	});

	it('is not found in invalid or unreadable files and folders', async () => {
		await using world = await createWorld();
		for (const name of ['0.json', '-1.json', '1.txt', 'wanted.json', '99999999999.json']) {
			await writeFile(
				join(world.sessions, name),
				JSON.stringify({ pid: 0, sessionId: 'wanted', status: 'idle', statusUpdatedAt: 1 }),
			);
		}
		await mkdir(join(world.sessions, `${process.pid}.json`));
		expect(await world.find('wanted')).toBeNull();
		await chmod(world.sessions, 0o000);
		expect(await world.find('wanted')).toBeNull();
		await chmod(world.sessions, 0o700);
		expect(await findStatus(join(world.sessions, 'nowhere'), ['wanted'])).toBeNull();
	});
});
