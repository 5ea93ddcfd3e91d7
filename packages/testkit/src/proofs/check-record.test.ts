import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRecord } from '@roost/cli/doctor/check-home';
import type { Rule } from '@roost/protocol/rule';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { sampleAppend, sampleRule } from '../rigs/record/sample-append.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';

describe('record check', () => {
	it('passes for an empty record, and for one with its heads file', async () => {
		await using world = await openHome();
		expect(await world.check()).toEqual({ messages: [{ state: 'ok', says: 'empty so far' }] });
		await world.begin();
		expect(await world.check()).toMatchObject({ messages: [{ state: 'ok', says: expect.stringContaining('sessions: 0') }] });
	});

	it('fails when the heads file is missing', async () => {
		await using world = await openHome();
		await world.begin();
		rmSync(`${world.database}.heads`);
		expect(await world.check()).toMatchObject({
			messages: [{ state: 'fail', says: expect.stringContaining('.heads is missing') }],
		});
	});

	it('fails when the database is missing but its heads file exists', async () => {
		await using world = await openHome();
		await world.begin();
		rmSync(world.database);
		expect(await world.check()).toMatchObject({ messages: [{ state: 'fail', says: expect.stringContaining('is missing') }] });
	});

	it('fails when no recorded event explains a rule', async () => {
		await using world = await openHome();
		await world.begin([sampleRule('r9')]);
		expect(await world.check()).toMatchObject({ messages: [{ state: 'fail', says: expect.stringContaining('rule r9') }] });
	});

	it('fails when the file is not a database', async () => {
		await using world = await openHome();
		await world.begin();
		writeFileSync(world.database, 'garbage that is no database '.repeat(500));
		expect(await world.check()).toMatchObject({ messages: [{ state: 'fail', remedy: expect.stringContaining('roost verify') }] });
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
