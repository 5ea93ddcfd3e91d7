import { randomUUID } from 'node:crypto';
import { AppError } from '@roost/protocol/app-error';
import { runnerId, sessionId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { sampleHub } from '@roost/testkit/rigs/tui/sample-world';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../api-client.ts';
import { createStreamClient } from '../stream-client.ts';
import type { Notice } from './notice.ts';
import { createSource, type SourceDeps } from './source.ts';
import type { World } from './world.ts';

async function openSource(rig: TestGateway, over: Partial<SourceDeps> & { rules?: Partial<ApiClient['rules']> } = {}) {
	const noticed: Notice[] = [];
	const whole = createApiClient({ baseUrl: rig.url, token: rig.token, face: 'cli', fetch });
	const api = { ...whole, rules: { ...whole.rules, ...over.rules } };
	const timers = {
		after(ms: number, run: () => void) {
			const timer = setTimeout(run, ms);
			return () => clearTimeout(timer);
		},
	};
	const stream = createStreamClient({
		openSocket: rig.openSocket,
		timers,
		now: Date.now,
		random: Math.random,
		newId: randomUUID,
	});
	const project = { path: '/project' };
	const source = createSource({
		api,
		stream,
		project,
		now: Date.now,
		exportSession: async (id, file) => `${id} to ${file}`,
		newId: randomUUID,
		pause,
		notify: (notice) => noticed.push(notice),
		...over,
	});
	const until = async <T>(what: string, find: (world: World) => T | undefined): Promise<T> =>
		await waitFor(() => find(source.world()), { what });
	await until('the sessions', ({ open }) => open ?? undefined);
	return { source, noticed, until, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };
}

describe('state of the terminal UI', () => {
	it('has the results of the last search only', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1, 'a heron');
		await rig.world.append('s2', 1, 'a stork');
		await using ui = await openSource(rig);
		const words = new Set<string | undefined>();
		ui.source.onChange(() => words.add(ui.source.world().found?.hits ? ui.source.world().found?.words : undefined));
		ui.source.perform({ type: 'search', words: 'heron' });
		ui.source.perform({ type: 'search', words: 'stork' });
		expect(ui.source.world().found).toEqual({ words: 'stork', hits: null, unsearched: 0 });
		const hits = await ui.until('the hits', ({ found }) => found?.hits ?? undefined);
		expect(hits).toMatchObject([{ sessionId: 's2', eventId: 's2:R1:E1', excerpt: 'a stork' }]);
		await rig.stop();
		expect([...words]).toEqual([undefined, 'stork']);
	});

	it('opens the session that needs the user', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await rig.world.append('s2', 1);
		rig.world.openAsk('a1', { sessionId: sessionId.parse('s1') });
		await using ui = await openSource(rig);
		expect(ui.source.world().open?.id).toBe('s1');
	});

	it('announces a session that another client started', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await using ui = await openSource(rig);
		await rig.world.append('s2', 2);
		await ui.until('the notice', () => ui.noticed.at(-1));
		expect(ui.noticed).toEqual([{ type: 'session-began', session: expect.objectContaining({ id: 's2', agent: 'claude' }) }]);
		expect(ui.source.world()).toMatchObject({ open: { id: 's1' }, sessions: [{ id: 's2' }, { id: 's1' }] });
	});

	it('reports where the open session was exported to', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1, 'a heron');
		await using ui = await openSource(rig);
		ui.source.perform({ type: 'export', file: 'out.jsonl' });
		await ui.until('the notice', () => ui.noticed.at(-1));
		expect(ui.noticed).toEqual([{ type: 'exported', message: 's1 to out.jsonl' }]);
	});

	it('has the result of a rule test', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await using ui = await openSource(rig);
		ui.source.perform({ type: 'add-rule', rule: { tool: 'Bash', decision: 'deny', scope: 'user' } });
		const [rule] = await ui.until('the rule', ({ rules }) => (rules.length > 0 ? rules : undefined));
		const body = { tool: 'Bash', input: { command: 'ls' } };
		ui.source.perform({ type: 'test-rule', body });
		const tested = await ui.until('the verdict', ({ ruleTest }) => ruleTest ?? undefined);
		expect(tested).toEqual({ body, result: { decision: 'deny', rule } });
		expect(tested.body).toBe(body);
	});

	it('switches to another session, and keeps one that is already open', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 2);
		await rig.world.append('s2', 3);
		await using ui = await openSource(rig);
		for (const [id, events] of [
			['s1', 2],
			['s2', 3],
		] as const) {
			ui.source.perform({ type: 'open-session', id: sessionId.parse(id) });
			const open = await ui.until(id, (world) => (world.open?.feed.end === events ? world.open : undefined));
			ui.source.perform({ type: 'open-session', id: sessionId.parse(id) });
			expect(ui.source.world().open?.feed).toBe(open.feed);
		}
	});

	it('shows sessions of any project through a hub, without waiting for rules on the machine', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		const rules = { list: () => new Promise<never>(() => {}) };
		const { hub } = atHub('desktop');
		await using ui = await openSource(rig, { rules, hub, project: { path: '/elsewhere' } });
		expect(ui.source.world().open?.id).toBe('s1');
		await ui.until('the inbox', ({ elsewhere }) => elsewhere[0]);
		expect(ui.source.world().elsewhere.map(({ runner }) => runner.name)).toEqual(['build-server']);
	});

	it('reports that rules cannot be read, unless the header says that the runner is offline', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		const rules = { list: async () => err(new AppError('cannot_start', 'It is offline.')) };
		await using online = await openSource(rig, { rules, ...atHub('desktop') });
		expect(online.noticed).toEqual([{ type: 'failed', message: 'It is offline.' }]);
		await using offline = await openSource(rig, { rules, ...atHub('build-server') });
		expect(offline.noticed).toEqual([]);
	});
});

function atHub(shown: string): Required<Pick<SourceDeps, 'hub'>> {
	const { runners, elsewhere } = sampleHub();
	const rows = [...(runners?.rows ?? [])];
	const api = { hub: { inbox: async () => ok([...elsewhere]) }, runners: { list: async () => ok(rows) } };
	return { hub: { api, shown: runnerId.parse(`id-of-${shown}`), rows } };
}
