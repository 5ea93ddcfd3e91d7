import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectId, sessionId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createLaunchFiles, type KeptLaunch } from './launch-files.ts';

const LAUNCH: KeptLaunch = {
	agent: 'claude',
	id: 'abc',
	digest: 'd'.repeat(64),
	gate: 'enforce',
	project: { id: projectId.parse('/p'), path: '/p' },
	first: sessionId.parse('s1'),
	current: null,
	waiter: { pid: 7, startTime: 'x' },
	httpUrl: 'http://127.0.0.1:1/hook',
	askMs: 1_800_000,
};

describe('launch files', () => {
	it('are private to their owner with any umask, and the last write wins', async () => {
		await using temp = await createTempDir();
		const files = createLaunchFiles(temp.path);
		const before = process.umask(0);
		try {
			unwrap(files.keep(LAUNCH));
			unwrap(files.keep({ ...LAUNCH, current: LAUNCH.first }));
		} finally {
			process.umask(before);
		}
		expect(unwrap(files.readAll())).toEqual([{ ...LAUNCH, current: LAUNCH.first }]);
		expect(readdirSync(temp.path)).toEqual(['launch-abc.json']);
		expect(statSync(join(temp.path, 'launch-abc.json')).mode & 0o777).toBe(0o600);
	});

	it('are removed once the launch is forgotten', async () => {
		await using temp = await createTempDir();
		const files = createLaunchFiles(temp.path);
		unwrap(files.keep(LAUNCH));
		unwrap(files.forget(LAUNCH.id));
		unwrap(files.forget(LAUNCH.id));
		expect(unwrap(files.readAll())).toEqual([]);
	});

	it.each([
		['a truncated file', '{"id":"abc"'],
		['another launch', JSON.stringify({ ...LAUNCH, id: 'other' })],
		['an invalid gate', JSON.stringify({ ...LAUNCH, gate: 'open' })],
	])('that contain %s are ignored and removed', async (_name, text) => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'launch-abc.json'), text, { mode: 0o600 });
		writeFileSync(join(temp.path, 'somebody-elses.json'), text);
		expect(unwrap(createLaunchFiles(temp.path).readAll())).toEqual([]);
		expect(readdirSync(temp.path)).toEqual(['somebody-elses.json']);
	});

	it('are ignored if they are symlinks, and their targets are kept', async () => {
		await using temp = await createTempDir();
		const target = join(temp.path, 'target');
		writeFileSync(target, JSON.stringify(LAUNCH), { mode: 0o600 });
		symlinkSync(target, join(temp.path, 'launch-abc.json'));
		expect(unwrap(createLaunchFiles(temp.path).readAll())).toEqual([]);
		expect(existsSync(target)).toBe(true);
		expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(LAUNCH);
	});
});
