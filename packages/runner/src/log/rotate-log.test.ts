import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { rotateLog } from './rotate-log.ts';

describe('a log that is opened again', () => {
	it('steps aside when it is large, stays private, and takes the place of the one before', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		writeFileSync(`${path}.1`, 'older');
		writeFileSync(path, 'large!');
		chmodSync(path, 0o600);
		unwrap(rotateLog(path, 5));
		expect(existsSync(path)).toBe(false);
		expect(readFileSync(`${path}.1`, 'utf8')).toBe('large!');
		expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
	});

	it('stays where it is up to the limit, and may be missing', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		unwrap(rotateLog(path, 5));
		writeFileSync(path, 'small');
		unwrap(rotateLog(path, 5));
		expect(readFileSync(path, 'utf8')).toBe('small');
		expect(existsSync(`${path}.1`)).toBe(false);
	});

	it('is not moved when it is a link that somebody put there', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		writeFileSync(join(temp.path, 'other'), 'somebody else’s');
		symlinkSync(join(temp.path, 'other'), path);
		unwrap(rotateLog(path, 5));
		expect(existsSync(path)).toBe(true);
	});

	it('says so when it cannot be moved', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'file'), '');
		expect(rotateLog(join(temp.path, 'file', 'runner.log'), 5)).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
	});
});
