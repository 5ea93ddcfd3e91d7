import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkDisk } from './check-machine.ts';

const MB = 1024 * 1024;

describe('the room on the disk', () => {
	it.each([
		['ok', 50_000, '48 GB free at /data'],
		['ok', 2_000, '2000 MB free at /data'],
		['warn', 999, 'only 999 MB free at /data'],
		['fail', 99, 'only 99 MB free at /data'],
	])('is %s with %i MB', (state, megabytes, says) => {
		expect(checkDisk('/data', () => megabytes * MB)).toMatchObject([{ state, says }]);
	});

	it('is looked for where a home that is not there yet will be made', async () => {
		await using temp = await createTempDir();
		const [found] = checkDisk(join(temp.path, 'not', 'yet'));
		expect(found?.says).toMatch(/\d+ [MG]B free/);
	});
});
