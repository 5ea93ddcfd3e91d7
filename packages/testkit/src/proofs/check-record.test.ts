import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRecord } from '@roost/cli/doctor/check-home';
import type { Rule } from '@roost/protocol/rule';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { sampleAppend, sampleRule } from '../rigs/record/sample-append.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';

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

	it('is wrong where the database is gone and its heads are not', async () => {
		await using world = await openHome();
		await world.begin();
		rmSync(world.database);
		expect(await world.check()).toMatchObject({ said: [{ state: 'fail', says: expect.stringContaining('is missing') }] });
	});

	it('is wrong where a rule is in the table that no fact explains', async () => {
		await using world = await openHome();
		await world.begin([sampleRule('r9')]);
		expect(await world.check()).toMatchObject({ said: [{ state: 'fail', says: expect.stringContaining('rule r9') }] });
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
		check: () => checkRecord({ ROOST_HOME: temp.path }, { database, runnerId: join(temp.path, 'runner-id') }),
		async begin(rules: Rule[] = []) {
			await using store = unwrap(openSqliteStore({ path: database, access: 'write' }));
			if (rules.length > 0) unwrap(await store.append(sampleAppend('a', [], { rules: { add: rules } })));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
