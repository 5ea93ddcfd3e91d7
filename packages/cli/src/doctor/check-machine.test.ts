import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkDisk } from './check-machine.ts';

const MB = 1024 * 1024;

describe('disk check', () => {
	it.each([
		['ok', 50_000, '48 GB free at /data'],
		['ok', 2_000, '2000 MB free at /data'],
		['warn', 999, 'only 999 MB free at /data'],
		['fail', 99, 'only 99 MB free at /data'],
	])('is %s with %i MB', (state, megabytes, says) => {
		expect(checkDisk('/data', () => megabytes * MB)).toMatchObject([{ state, says }]);
	});

	it('reports the free space for a home that does not exist yet', async () => {
		await using temp = await createTempDir();
		const [found] = checkDisk(join(temp.path, 'not', 'yet'));
		expect(found?.says).toMatch(/\d+ [MG]B free/);
	});
});
