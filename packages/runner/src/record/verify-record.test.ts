// The findings for each way of tampering with a record. An unexpected "intact" is a failure.
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FeedData } from '@roost/protocol/feed/event';
import { ruleId, runnerId } from '@roost/protocol/ids';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createEngineRig, TEST_PATH } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRuleBook } from '../deciding/rule-book.ts';
import { openRunnerStream } from './runner-stream.ts';
import { verifyRecord } from './verify-record.ts';

const RUNNER = runnerId.parse('test-runner');
/** Looks like a token, so that it is redacted in the fact of the rule. */
const SECRET = ['sk', 'ant', 'api03', 'AQEBAQEB'.repeat(6)].join('-');
const PERSON = { name: 'lea', face: 'cli' };

/** Two sessions with asks and usage, and three rules, recorded by the real engine and closed. */
async function createWorld() {
	const directory = await createTempDir();
	const home = directory.path;
	const path = join(home, 'roost.db');
	writeFileSync(join(home, 'runner-id'), `${RUNNER}\n`);
	const world = {
		home,
		path,
		heads: `${path}.heads`,
		sql(text: string): void {
			using db = new DatabaseSync(path);
			db.exec(text);
		},
		proof: async (query: Parameters<typeof verifyRecord>[1] = {}) => unwrap(await verifyRecord({ ROOST_HOME: home }, query)),
		async problems(): Promise<string[]> {
			const proof = await verifyRecord({ ROOST_HOME: home }, {});
			if (!proof.ok) return [proof.error.message];
			const problems = [...proof.value.problems, ...proof.value.streams.flatMap((stream) => stream.problems)];
			expect(proof.value.intact).toBe(problems.length === 0);
			return problems;
		},
		/** The rules that a newly started runner applies, and its warnings. */
		async startRules() {
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			const warnings: string[] = [];
			const book = openBook(store, (sentence) => warnings.push(sentence));
			return { applied: book.list().map(({ id, decision, argsPattern }) => `${id} ${decision} ${argsPattern}`), warnings };
		},
		work: (session: string) => work(path, session),
		[Symbol.asyncDispose]: directory[Symbol.asyncDispose],
	};
	for (const session of ['s1', 's2']) await world.work(session);
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	const book = openBook(store);
	for (const [decision, argsPattern] of [
		['deny', 'rm *'],
		['allow', 'ls *'],
		['ask', 'curl *'],
	] as const) {
		unwrap(await book.add({ tool: 'Bash', argsPattern, decision, scope: 'user' }, PERSON));
	}
	unwrap(
		await book.add(
			{
				tool: 'Bash',
				argsPattern: `curl -H "Authorization: Bearer ${SECRET}" *`,
				decision: 'deny',
				scope: 'project',
				scopeId: TEST_PATH,
			},
			PERSON,
		),
	);
	await store.close();
	expect(await world.problems()).toEqual([]);
	return world;
}

function openBook(store: Parameters<typeof openRuleBook>[0]['store'], warn: (sentence: string) => void = () => {}, from = 0) {
	let ids = from;
	const common = { store, runnerId: RUNNER, now: () => 1_700_000_000_000 + ids };
	const own = unwrap(openRunnerStream(common));
	return unwrap(
		openRuleBook({
			...common,
			builtinDenies: [],
			projects: createTestProjects(store),
			newId: () => ruleId.parse(`r${++ids}`),
			own,
			warn,
		}),
	);
}

async function work(path: string, session: string): Promise<void> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	await using rig = createEngineRig({ store, sessionId: session });
	let ids = 0;
	const emit = (hookName: string, payload: object) =>
		rig.runtime.emit({ id: `${session}-${++ids}`, sessionId: `native-${session}`, hookName, payload });
	emit('SessionStart', { source: 'startup' });
	emit('UserPromptSubmit', { prompt: `do ${session}` });
	for (const command of ['ls', 'make']) {
		emit('PermissionRequest', { tool_name: 'Bash', tool_input: { command } });
		const ask = await waitFor(() => rig.engine.asks.list({}).at(-1), { what: 'the ask' });
		if (command === 'ls') unwrap(await rig.engine.answer(ask.id, { type: 'allow' }, PERSON));
	}
	const counts = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 1, cache_write_tokens: 0 };
	const usage: FeedData<'usage.update'> = { total: counts, by_model: { 'model-1': counts } };
	rig.engine.note(rig.sessionId, { kind: 'usage.update', data: usage });
	await rig.engine.settled();
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** A world is slow to create: each is used for several kinds of tampering, undone by restoring its files. */
async function tamper(world: World, how: (world: World) => void): Promise<string[]> {
	const files = [world.path, world.heads, join(world.home, 'runner-id')];
	for (const file of files) copyFileSync(file, `${file}.kept`);
	how(world);
	const problems = await world.problems();
	for (const file of [...files, `${world.path}-wal`, `${world.path}-shm`]) rmSync(file, { force: true });
	for (const file of files) copyFileSync(`${file}.kept`, file);
	return problems;
}

const OF = (stream: string, offset: number) =>
	`stream_no = (SELECT stream_no FROM streams WHERE stream = '${stream}') AND offset = ${offset}`;

const FILES: [string, (world: World) => void, RegExp][] = [
	['the database is deleted', ({ path }) => rmSync(path), /roost\.db is missing, and .*\.heads shows that there was a record/],
	[
		'the database and the heads are deleted',
		({ path, heads }) => {
			rmSync(path);
			rmSync(heads);
		},
		/roost\.db is missing, and .*runner-id shows/,
	],
	['the database is emptied', ({ path }) => truncateSync(path), /roost\.db is empty, and .*\.heads shows/],
	['the heads are deleted', ({ heads }) => rmSync(heads), /heads file .* is missing/],
	['the heads are cut to their header', ({ heads }) => cutLines(heads, 1), /had known of offset .*; the heads file was cut/],
	['the last head is cut', ({ heads }) => cutLines(heads, -2), /had known of offset .*; the heads file was cut/],
	['half of the heads are cut', ({ heads }) => cutLines(heads, 4), /had known of offset .*; the heads file was cut/],
	[
		'the runner id is changed',
		({ home }) => writeFileSync(join(home, 'runner-id'), 'other\n'),
		/names runner other, which has recorded nothing/,
	],
	['the runner id is deleted', ({ home }) => rmSync(join(home, 'runner-id')), /runner-id is missing/],
	['a bit of the database is flipped', ({ path }) => flip(path), /./],
];

const ROWS: [string, string, RegExp][] = [
	['edit an event', `UPDATE events SET line = replace(line, 'do s1', 'do x1') WHERE line LIKE '%do s1%'`, /was changed or moved/],
	['delete an event', `DELETE FROM events WHERE ${OF('s1', 3)}`, /offset 3 is missing/],
	['cut the last events', `DELETE FROM events WHERE position > (SELECT max(position) - 2 FROM events)`, /was cut/],
	['delete all events', 'DELETE FROM events', /was cut|are gone/],
	[
		'insert an event',
		`INSERT INTO events SELECT position + 1000, stream_no, offset + 1000, 'x', hash, line FROM events WHERE ${OF('s1', 1)}`,
		/offset .* is missing/,
	],
	[
		'reorder events',
		`UPDATE events SET offset = 99 WHERE ${OF('s1', 2)}; UPDATE events SET offset = 2 WHERE ${OF('s1', 3)}; UPDATE events SET offset = 3 WHERE ${OF('s1', 99)}`,
		/was changed or moved/,
	],
	[
		'swap two streams',
		`UPDATE streams SET stream = 'x' WHERE stream = 's1'; UPDATE streams SET stream = 's1' WHERE stream = 's2'; UPDATE streams SET stream = 's2' WHERE stream = 'x'`,
		/was changed or moved/,
	],
	['rename the runner', `UPDATE runners SET runner = 'other'`, /filed under a runner that its line does not have/],
	[
		'insert a session',
		`INSERT INTO sessions SELECT 99, 'ghost', project_id, started_at, replace(session, '"s1"', '"ghost"'), position FROM sessions WHERE id = 's1'`,
		/Table sessions: no fact explains session ghost/,
	],
	[
		'edit a session',
		`UPDATE sessions SET session = json_set(session, '$.title', 'x') WHERE id = 's1'`,
		/Table sessions: session s1 differs from its facts in title/,
	],
	[
		'edit the tokens of a session',
		`UPDATE sessions SET session = json_set(session, '$.tokens', 1) WHERE id = 's1'`,
		/Table sessions: session s1 differs from its facts in tokens/,
	],
	[
		'edit the tokens of a session, and make it look like one of an older version',
		`UPDATE sessions SET session = json_remove(json_set(session, '$.tokens', 1), '$.openAsks') WHERE id = 's1'`,
		/Table sessions: session s1 differs from its facts in .*tokens/,
	],
	[
		'edit a column of a session',
		`UPDATE sessions SET project_id = 'x' WHERE id = 's1'`,
		/Table sessions: session s1 .* project_id/,
	],
	['delete a session', `DELETE FROM sessions WHERE id = 's1'`, /Table sessions: the row of session s1 is missing/],
	[
		'move the place of a row',
		`UPDATE sessions SET position = position - 1 WHERE id = 's1'`,
		/session s1 changed later than its row says/,
	],
	[
		'insert a prompt',
		`INSERT INTO queues VALUES ('s1', '{"waiting":[{"id":"p1","text":"x","queuedAt":1}],"sent":[]}', 1)`,
		/Table queues: session s1 differs from its facts/,
	],
	[
		'insert a queue',
		`INSERT INTO queues VALUES ('ghost', '{"waiting":[],"sent":[]}', 1)`,
		/Table queues: no fact explains session ghost/,
	],
	[
		'insert a project',
		`INSERT INTO projects VALUES ('p1', '/elsewhere', 1)`,
		/Table projects: the path of project p1 was changed/,
	],
	['edit a project', `UPDATE projects SET path = '/elsewhere'`, /Table projects: the path of project p\w+ was changed/],
	['delete a project', `DELETE FROM projects`, /Table sessions: session s1 is not of the project at its path/],
	['insert a native id', `INSERT INTO native_ids VALUES ('x', 's1')`, /Table native_ids: "x" of session s1/],
	['delete a native id', `DELETE FROM native_ids WHERE session_id = 's1'`, /Table native_ids: .* of session s1/],
	[
		'insert an ask',
		`INSERT INTO asks SELECT 99, 's1.99', session_id, state, opened_at, replace(ask, '"s1.1"', '"s1.99"'), position FROM asks WHERE id = 's1.1'`,
		/Table asks: no fact explains ask s1\.99/,
	],
	[
		'edit an ask',
		`UPDATE asks SET ask = json_set(ask, '$.state', 'denied') WHERE id = 's1.1'`,
		/Table asks: ask s1\.1 differs from its facts in state/,
	],
	[
		'edit what an ask is about',
		`UPDATE asks SET ask = json_set(ask, '$.input.command', 'ls -l') WHERE id = 's1.2'`,
		/Table asks: ask s1\.2 differs .* input/,
	],
	['edit a column of an ask', `UPDATE asks SET state = 'denied' WHERE id = 's1.2'`, /Table asks: ask s1\.2 differs .* state/],
	[
		'edit who decided',
		`UPDATE asks SET ask = json_set(ask, '$.decidedBy', 'eve@cli') WHERE id = 's1.1'`,
		/Table asks: ask s1\.1 differs .* decidedBy/,
	],
	['delete an ask', `DELETE FROM asks WHERE id = 's1.1'`, /Table asks: the row of ask s1\.1 is missing/],
	[
		'insert a rule',
		`INSERT INTO rules SELECT 99, 'r99', created_at, replace(replace(rule, '"r1"', '"r99"'), 'deny', 'allow') FROM rules WHERE id = 'r1'`,
		/Table rules: no fact explains rule r99 \(allow Bash rm \*, user\)/,
	],
	[
		'edit a rule',
		`UPDATE rules SET rule = replace(rule, 'ls *', '*') WHERE id = 'r2'`,
		/Table rules: rule r2 was changed to allow Bash \*, user/,
	],
	[
		'edit the secret in a rule',
		`UPDATE rules SET rule = replace(rule, 'AQEBAQEBAQ', 'AQEBAQEBAR') WHERE id = 'r4'`,
		/Table rules: rule r4 was changed/,
	],
	['delete a rule', `DELETE FROM rules WHERE id = 'r1'`, /Table rules: rule r1 is missing/],
	[
		'insert usage',
		`INSERT INTO usage_days VALUES ('s1', '2020-01-01', 'model-2', 1, 1, 1, 1, NULL, 1)`,
		/Table usage_days: .* of model-2 in session s1/,
	],
	[
		'edit usage',
		`UPDATE usage_days SET input = 1 WHERE session_id = 's1'`,
		/Table usage_days: input_tokens of model-1 in session s1/,
	],
	['delete usage', `DELETE FROM usage_days WHERE session_id = 's1'`, /Table usage_days: .* in session s1/],
	[
		'insert into the index',
		`INSERT INTO event_text (title, text, session_id, stream, place, ts, kind) VALUES ('x', 'x', 's1', 's1', 1, 1, 'x')`,
		/Table event_text: there is an entry that no event explains/,
	],
	['edit the index', `UPDATE event_text SET text = 'x' WHERE rowid = 2`, /Table event_text: the entry of .* differs/],
	['delete from the index', `DELETE FROM event_text WHERE rowid = 2`, /Table event_text: the entry of .* differs/],
	['move the mark of the index', `UPDATE indexed SET position = position + 5`, /Table indexed: the mark of runner 0/],
	['move the mark of the outbox', `INSERT INTO flushed VALUES (0, 9999)`, /Table flushed: the mark of runner 0 is at 9999/],
	['move the mark of the heads', `UPDATE headed SET seq_no = seq_no + 5`, /had reached .*; it was cut/],
];

describe('tampered record', { timeout: 120_000 }, () => {
	it('is never reported as intact, and the problem names the change', async () => {
		await using world = await createWorld();
		const outcomes: string[] = [];
		for (const [name, how, expected] of FILES) {
			const problems = await tamper(world, how);
			if (!problems.some((problem) => expected.test(problem))) outcomes.push(`${name}: ${problems.join(' | ') || 'intact'}`);
		}
		for (const [name, sql, expected] of ROWS) {
			const problems = await tamper(world, () => world.sql(sql));
			if (!problems.some((problem) => expected.test(problem))) outcomes.push(`${name}: ${problems.join(' | ') || 'intact'}`);
		}
		expect(outcomes).toEqual([]);
		expect(await world.problems()).toEqual([]);
	});

	it('is not assumed for rows of an older version, which have fewer fields', async () => {
		await using world = await createWorld();
		const later = ['openAsks', 'tasks', 'tokens', 'costUsdEstimate', 'lastEvent'].map((field) => `'$.${field}'`);
		const older = `UPDATE sessions SET session = json_remove(session, ${later.join(', ')})`;
		world.sql(older);
		expect(await world.problems()).toEqual([]);
	});

	it('is detected if an older database was restored or the write-ahead log was deleted', async () => {
		await using world = await createWorld();
		copyFileSync(world.path, `${world.path}.old`);
		await using store = unwrap(openSqliteStore({ path: world.path, access: 'write' }));
		unwrap(await openBook(store, () => {}, 10).add({ tool: 'Read', decision: 'deny', scope: 'user' }, PERSON));
		copyFileSync(world.heads, `${world.heads}.new`);
		// The file without its write-ahead log, as on disk while a runner writes.
		const crashed = `${world.path}.crashed`;
		copyFileSync(world.path, crashed);
		copyFileSync(world.heads, `${crashed}.heads`);
		await using reader = unwrap(openSqliteStore({ path: crashed, access: 'read' }));
		expect(unwrap(reader.verify()).intact).toBe(false);
		await store.close();
		copyFileSync(`${world.path}.old`, world.path);
		copyFileSync(`${world.heads}.new`, world.heads);
		expect(await world.problems()).toContainEqual(
			expect.stringMatching(/the log was cut after offset 4; the heads file knows of offset 5/),
		);
	});

	it('is detected by an external head, even if both files were restored or rewritten together', async () => {
		await using world = await createWorld();
		for (const file of [world.path, world.heads]) copyFileSync(file, `${file}.old`);
		const before = (await world.proof()).head ?? '';
		await world.work('s3');
		const after = (await world.proof()).head ?? '';
		// The log has grown, and the earlier head still fits its beginning.
		expect(await world.proof({ head: before })).toMatchObject({ intact: true, covered: Number(before.split('-')[0]) });
		expect(await world.proof({ head: after })).toMatchObject({ intact: true, head: after });
		for (const file of [world.path, world.heads]) copyFileSync(`${file}.old`, file);
		expect(await world.proof()).toMatchObject({ intact: true });
		expect(await world.proof({ head: before })).toMatchObject({ intact: true });
		expect((await world.proof({ head: after })).problems).toEqual([
			expect.stringMatching(/the record has fewer. The record was cut or replaced/),
		]);
		rewrite(world.path, world.heads);
		expect((await world.proof({ head: before })).problems).toContainEqual(expect.stringMatching(/The record was rewritten/));
	});

	it('cannot be verified with an invalid head', async () => {
		await using world = await createWorld();
		expect(unwrapError(await verifyRecord({ ROOST_HOME: world.home }, { head: 'x' }))).toMatchObject({ code: 'usage' });
	});
});

describe('home without a record', () => {
	it('is intact, unless an external head shows that a record existed', async () => {
		await using directory = await createTempDir();
		const env = { ROOST_HOME: directory.path };
		expect(unwrap(await verifyRecord(env, {}))).toMatchObject({ intact: true, fresh: true, head: null });
		expect(unwrap(await verifyRecord(env, { head: `7-${'a'.repeat(20)}` }))).toMatchObject({ intact: false });
	});
});

describe('runner that starts', () => {
	it('applies the rules that are recorded as facts, regardless of the table', async () => {
		await using world = await createWorld();
		const applied = (await world.startRules()).applied;
		expect(applied).toHaveLength(4);
		const attacks = {
			'no fact explains rule r99': `INSERT INTO rules SELECT 99, 'r99', created_at, replace(replace(rule, '"r1"', '"r99"'), 'deny', 'allow') FROM rules WHERE id = 'r1'`,
			'rule r2 was changed': `UPDATE rules SET rule = replace(rule, 'ls *', '*') WHERE id = 'r2'`,
			'rule r1 is missing': `DELETE FROM rules WHERE id = 'r1'`,
		};
		for (const sql of Object.values(attacks)) world.sql(sql);
		const started = await world.startRules();
		expect(started.applied).toEqual(applied);
		for (const name of Object.keys(attacks)) expect(started.warnings).toContainEqual(expect.stringContaining(name));
	});

	it('applies no allow rule if the facts of the rules were changed', async () => {
		await using world = await createWorld();
		world.sql(
			`UPDATE events SET line = replace(line, '"argsPattern":"ls *"', '"argsPattern":"*"') WHERE line LIKE '%rule.added%'`,
		);
		const started = await world.startRules();
		expect(started.applied.map((rule) => rule.split(' ')[1]).toSorted()).toEqual(['ask', 'deny', 'deny']);
		expect(started.warnings).toContainEqual(expect.stringMatching(/No allow rule is applied/));
	});
});

function cutLines(path: string, count: number): void {
	writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, count).join('\n')}\n`);
}

/** Inside the text of a line, where SQLite notices nothing. */
function flip(path: string): void {
	const text = readFileSync(path, 'latin1');
	writeFileSync(path, text.replaceAll('"prompt":"do s2"', '"prompt":"eo s2"'), 'latin1');
}

/** Tampering by an intruder who knows the format and can write both files: another prompt, with matching hashes and heads. */
function rewrite(path: string, heads: string): void {
	using db = new DatabaseSync(path);
	db.exec(`UPDATE events SET line = replace(line, 'do s1', 'do x1')`);
	const rows = db
		.prepare('SELECT position, stream, offset, line FROM events JOIN streams USING (stream_no) ORDER BY stream_no, offset')
		.all();
	const last = new Map<string, string>();
	const lines = ['# roost heads, begun with 0 events'];
	for (const row of rows) {
		const stream = String(row.stream);
		const next = nextHash(last.get(stream) ?? genesisHash(stream), String(row.line));
		last.set(stream, next);
		db.prepare('UPDATE events SET hash = ? WHERE position = ?').run(next, Number(row.position));
		lines.push(`${next} ${row.offset} ${JSON.stringify(stream)}`);
	}
	writeFileSync(heads, `${lines.join('\n')}\n`);
	expect(existsSync(heads)).toBe(true);
}
