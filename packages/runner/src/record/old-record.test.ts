// A record of the last version that named projects by path: real sessions, asks and rules of a runner.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { ruleId } from '@roost/protocol/ids';
import { toProjectId } from '@roost/store/project-id';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createTestProjects, TEST_RUNNER } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openRuleBook } from '../deciding/rule-book.ts';
import { openRunnerStream } from './runner-stream.ts';
import { verifyRecord } from './verify-record.ts';

const GOLDEN = fileURLToPath(new URL('../../golden/record-v7.db', import.meta.url));
const SHOP = toProjectId(TEST_RUNNER, '/srv/shop');
const BARN = toProjectId(TEST_RUNNER, '/srv/barn');
const MAKE = { tool: 'Bash', input: { command: 'make all' } };

describe('record that names projects by their paths', () => {
	it('gets ids for its projects without any change to the log', async () => {
		await using world = await openWorld();
		const before = linesIn(world.path);
		await using store = world.open();
		expect(unwrap(store.sessions()).map(({ id, projectId, projectPath }) => [id, projectId, projectPath])).toEqual([
			['s2', BARN, '/srv/barn'],
			['s1', SHOP, '/srv/shop'],
		]);
		expect(unwrap(store.sessions({ projectId: SHOP })).map(({ id }) => id)).toEqual(['s1']);
		expect(unwrap(store.sessions({ projectPath: '/srv/barn' })).map(({ id }) => id)).toEqual(['s2']);
		expect(
			unwrap(store.usage())
				.map(({ projectId }) => projectId)
				.toSorted(),
		).toEqual([BARN, SHOP].toSorted());
		expect(unwrap(store.rules()).map(({ id, scopeId, projectPath }) => [id, scopeId, projectPath])).toEqual([
			['r1', 'user', undefined],
			['r2', SHOP, '/srv/shop'],
			['r3', toProjectId(TEST_RUNNER, '/srv/untouched'), '/srv/untouched'],
			['r4', 's1', undefined],
		]);
		expect(before.length).toBeGreaterThan(10);
		expect(linesIn(world.path)).toEqual(before);
	});

	it('is intact according to every check', async () => {
		await using world = await openWorld();
		await world.open().close();
		const proof = unwrap(await verifyRecord({ ROOST_HOME: world.home }, {}));
		expect([...proof.problems, ...proof.streams.flatMap(({ problems }) => problems)]).toEqual([]);
		expect(proof.intact).toBe(true);
	});

	it('still reveals an edited rule', async () => {
		await using world = await openWorld();
		await world.open().close();
		{
			using db = new DatabaseSync(world.path);
			db.exec(`UPDATE rules SET rule = replace(rule, '${SHOP}', '${BARN}') WHERE id = 'r2'`);
		}
		await using store = world.open();
		const { rules, problems } = unwrap(store.checkedRules());
		const changed = `rule r2 was changed to deny Bash make *, project ${BARN} at /srv/shop`;
		const applies = `The recorded rule applies: deny Bash make *, project ${SHOP} at /srv/shop.`;
		expect(problems).toEqual([`Table rules: ${changed}. ${applies}`]);
		expect(rules.find(({ id }) => id === 'r2')?.scopeId).toBe(SHOP);
	});

	it('has its rules applied in their projects, to current and past calls', async () => {
		await using world = await openWorld();
		await using store = world.open();
		const book = world.openBook(store);
		expect(unwrap(await book.test({ ...MAKE, projectId: '/srv/shop' })).rule?.id).toBe('r2');
		expect(unwrap(await book.test({ ...MAKE, projectId: SHOP })).rule?.id).toBe('r2');
		expect(unwrap(await book.test({ ...MAKE, projectId: '/srv/barn' }))).toMatchObject({ decision: 'none' });
		const rule = { tool: 'Bash', argsPattern: 'make *', decision: 'ask', scope: 'project', scopeId: BARN } as const;
		const { matches } = unwrap(await book.history({ rule, calls: 10 }));
		expect(new Set(matches.map(({ sessionId }) => sessionId))).toEqual(new Set(['s2']));
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const path = join(temp.path, 'roost.db');
	for (const suffix of ['', '.heads']) copyFileSync(`${GOLDEN}${suffix}`, `${path}${suffix}`);
	writeFileSync(join(temp.path, 'runner-id'), `${TEST_RUNNER}\n`);
	return {
		home: temp.path,
		path,
		open: () => unwrap(openSqliteStore({ path, access: 'write' })),
		openBook(store: Parameters<typeof openRuleBook>[0]['store']) {
			const common = { store, runnerId: TEST_RUNNER, now: () => 1_800_000_000_000 };
			const own = unwrap(openRunnerStream(common));
			const projects = createTestProjects(store);
			return unwrap(openRuleBook({ ...common, projects, builtinDenies: [], newId: () => ruleId.parse('new'), own }));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

function linesIn(path: string): unknown[] {
	using db = new DatabaseSync(path, { readOnly: true });
	return db.prepare('SELECT position, hash, line FROM events ORDER BY position').all();
}
