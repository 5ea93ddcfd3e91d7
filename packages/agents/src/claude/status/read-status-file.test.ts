import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { readStatusFile } from './read-status-file.ts';

const WAITING = { pid: process.pid, sessionId: 's-1', status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: 42 };

describe('a status file', () => {
	it('says what its claude does, for what it waits, and since when', async () => {
		await using world = await createWorld();
		await world.write({ ...WAITING, kind: 'interactive', anything: [] });
		expect(await world.read()).toEqual({ status: 'waiting', waitingFor: 'permission prompt', sessionId: 's-1', at: 42 });
		await world.write({ ...WAITING, status: 'idle' });
		expect(await world.read()).toEqual({ status: 'idle', waitingFor: undefined, sessionId: 's-1', at: 42 });
	});

	it.each([
		['is not there', undefined],
		['was cut in the midst of being written', JSON.stringify(WAITING).slice(0, 30)],
		['is empty', ''],
		['holds something else', '[1]'],
		['holds a status nobody knows', JSON.stringify({ ...WAITING, status: 'dreaming' })],
		['holds no time', JSON.stringify({ ...WAITING, statusUpdatedAt: 'now' })],
		['is that of another process', JSON.stringify({ ...WAITING, pid: 1 })],
		['was left by one that had the same number before', JSON.stringify({ ...WAITING, procStart: '1' })],
	])('that %s says nothing', async (_, text) => {
		await using world = await createWorld();
		if (text !== undefined) await world.write(text);
		expect(await world.read()).toBeNull();
	});

	it('of a process that is dead says nothing', async () => {
		await using world = await createWorld();
		await using program = await startProgram(['true'], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
		await program.waitForExit(10_000);
		await world.write({ ...WAITING, pid: program.pid }, program.pid);
		expect(await world.read(program.pid)).toBeNull();
	});

	it('that cannot be read says nothing', async () => {
		await using world = await createWorld();
		await mkdir(join(world.path, 'sessions', `${process.pid}.json`));
		expect(await world.read()).toBeNull();
		await chmod(join(world.path, 'sessions'), 0o000);
		expect(await world.read()).toBeNull();
		await chmod(join(world.path, 'sessions'), 0o700);
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const sessions = join(temp.path, 'sessions');
	await mkdir(sessions);
	return {
		path: temp.path,
		write: (content: unknown, pid = process.pid) =>
			writeFile(join(sessions, `${pid}.json`), typeof content === 'string' ? content : JSON.stringify(content)),
		read: (pid = process.pid) => readStatusFile(temp.path, pid),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
