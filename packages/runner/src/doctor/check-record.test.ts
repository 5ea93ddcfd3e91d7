import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { checkRecord } from './check-record.ts';

describe('the record', () => {
	it('is fine where it is empty, and where it opens with its heads beside it', async () => {
		await using world = await openHome();
		expect(await world.check()).toEqual({ said: [{ state: 'ok', says: 'empty so far' }] });
		await world.begin();
		expect(await world.check()).toMatchObject({ said: [{ state: 'ok', says: expect.stringContaining('sessions: 0') }] });
	});

	it('is wrong where its heads are gone', async () => {
		await using world = await openHome();
		await world.begin();
		rmSync(`${world.database}.heads`);
		expect(await world.check()).toMatchObject({ said: [{ state: 'fail', says: expect.stringContaining('.heads is missing') }] });
	});

	it('is wrong where it is no database', async () => {
		await using world = await openHome();
		await world.begin();
		writeFileSync(world.database, 'garbage that is no database '.repeat(500));
		expect(await world.check()).toMatchObject({ said: [{ state: 'fail', remedy: expect.stringContaining('roost verify') }] });
	});
});

async function openHome() {
	const temp = await createTempDir();
	const database = join(temp.path, 'roost.db');
	return {
		database,
		check: () => checkRecord({ ROOST_HOME: temp.path }, { database }),
		async begin() {
			await using _store = unwrap(openSqliteStore({ path: database, access: 'write' }));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
