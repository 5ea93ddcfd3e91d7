import { userInfo } from 'node:os';
import { BEARER, startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { sampleAppend, sampleEvent, sampleSession, sampleUsage, tokens } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('sessions over HTTP', () => {
	it('are listed and found by id', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await rig.world.append('s2', 1);
		const list = JSON.parse((await rig.call({ path: '/api/v1/sessions' })).body);
		expect(list.map(({ id }: { id: string }) => id).toSorted()).toEqual(['s1', 's2']);
		expect(JSON.parse((await rig.call({ path: '/api/v1/sessions?projectId=/elsewhere' })).body)).toEqual([]);
		expect(JSON.parse((await rig.call({ path: '/api/v1/sessions/s2' })).body)).toMatchObject({ id: 's2' });
		const missing = await rig.call({ path: '/api/v1/sessions/s3' });
		expect([missing.status, JSON.parse(missing.body).code]).toEqual([404, 'not_found']);
	});

	it('are listed page by page, by status, and with or without archived ones', async () => {
		await using rig = await startTestGateway();
		const ended = { status: 'ended', archived: true } as const;
		for (const [startedAt, over] of [{}, ended, {}, ended, {}].entries()) {
			const id = `s${startedAt}`;
			const session = sampleSession(id, { startedAt, ...over });
			unwrap(await rig.world.kept.append(sampleAppend(id, [sampleEvent(id, 1)], { session })));
		}
		const idsOf = async (query: string) => {
			const rows: { id: string }[] = JSON.parse((await rig.call({ path: `/api/v1/sessions?${query}` })).body);
			return rows.map(({ id }) => id).join(' ');
		};
		expect(await idsOf('')).toBe('s4 s3 s2 s1 s0');
		expect(await idsOf('limit=2')).toBe('s4 s3');
		expect(await idsOf('limit=2&cursor=s3')).toBe('s2 s1');
		expect(await idsOf('limit=2&cursor=s1')).toBe('s0');
		expect(await idsOf('limit=2&cursor=s0')).toBe('');
		expect(await idsOf('archived=false')).toBe('s4 s2 s0');
		expect(await idsOf('archived=true&status=ended')).toBe('s3 s1');
		expect(await idsOf('status=waiting')).toBe('');
		for (const wrong of ['limit=0', 'limit=1001', 'status=asleep', 'archived=maybe', 'cursor=none', 'cursor=', 'page=2'])
			expect.soft((await rig.call({ path: `/api/v1/sessions?${wrong}` })).status, wrong).toBe(400);
	});

	it('return stored lines unchanged, page by page', async () => {
		await using rig = await startTestGateway();
		const lines = (await rig.world.append('s1', 5, 'quotes " and \u2028 and ✓')).map(({ line }) => line);
		const all = await rig.call({ path: '/api/v1/sessions/s1/events' });
		expect(all.headers['content-type']).toBe('application/json; charset=utf-8');
		expect(all.body).toBe(`[${lines.join(',')}]`);
		const page = await rig.call({ path: '/api/v1/sessions/s1/events?after=1&limit=2' });
		expect(page.body).toBe(`[${lines.slice(1, 3).join(',')}]`);
		expect((await rig.call({ path: '/api/v1/sessions/s1/events?after=5' })).body).toBe('[]');
		expect((await rig.call({ path: '/api/v1/sessions/none/events' })).status).toBe(404);
	});
});

describe('search over HTTP', () => {
	it('finds words in all sessions, newest first, each with its event', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1, 'a heron on one leg');
		await rig.world.append('s2', 2, 'two herons; a heron');
		await rig.world.append('s2', 1, 'a stork');
		const search = async (query: string) => await rig.call({ path: `/api/v1/search?${query}` });
		const { hits, unsearched } = JSON.parse((await search('words=heron')).body);
		expect(unsearched).toBe(0);
		expect(hits.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['s2:R1:E2', 's2:R1:E1', 's1:R1:E1']);
		expect(hits[2]).toMatchObject({ sessionId: 's1', offset: 1, kind: 'agent.message', excerpt: 'a heron on one leg' });
		expect(JSON.parse((await search('words=heron&limit=1')).body).hits).toHaveLength(1);
		for (const wrong of ['', 'words=', 'words=a&limit=0', 'words=a&limit=201', 'words=a&limit=x', 'words=a&more=1']) {
			expect.soft((await search(wrong)).status, wrong).toBe(400);
		}
	});
});

describe('usage over HTTP', () => {
	it('is grouped by day by default, with its cost, and can be limited to a range of days', async () => {
		await using rig = await startTestGateway();
		const used = { 'claude-opus-5': tokens(1_000_000, 0), 'nobody-knows': tokens(5, 5) };
		unwrap(await rig.world.kept.append(sampleUsage('s1', 1, new Date(2026, 10, 14, 12), used)));
		unwrap(await rig.world.kept.append(sampleUsage('s2', 1, new Date(2026, 10, 15, 12), { 'claude-opus-5': tokens(100, 0) })));
		const usage = async (query: string) => await rig.call({ path: `/api/v1/usage?${query}` });
		const report = JSON.parse((await usage('')).body);
		expect(report).toMatchObject({ by: 'day', groups: [{ key: '2026-11-14' }, { key: '2026-11-15' }] });
		expect(report.groups[0]).toMatchObject({ costUsdEstimate: 5, unpriced: ['nobody-knows'], sessions: 1 });
		expect(JSON.parse((await usage('by=session&since=2026-11-15&until=2026-11-15')).body)).toMatchObject({
			groups: [{ key: 's2', title: 'session s2' }],
			total: { sessions: 1, tokens: { input_tokens: 100 } },
		});
		for (const wrong of ['by=week', 'by=', 'since=yesterday', 'since=2026-02-30', 'until=2026-1-1', 'by=day&by=day', 'more=1']) {
			expect.soft((await usage(wrong)).status, wrong).toBe(400);
		}
	});
});

describe('asks over HTTP', () => {
	it('are listed while pending, and with all=true when decided', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		rig.world.openAsk('a2', { state: 'denied' });
		const idsOf = async (path: string) => JSON.parse((await rig.call({ path })).body).map(({ id }: { id: string }) => id);
		expect(await idsOf('/api/v1/asks')).toEqual(['a1']);
		expect(await idsOf('/api/v1/asks?all=true')).toEqual(['a1', 'a2']);
	});

	it('can be decided once: the second answer gets 409 with the first decision', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		const body = { askId: 'a1', nonce: 'nonce-a1', decision: 'deny', denyMessage: 'not today' };
		const first = await rig.post('/api/v1/sessions/s1/approve', body, { 'x-roost-face': 'cli' });
		expect([first.status, JSON.parse(first.body).state]).toEqual([200, 'denied']);
		const second = await rig.post('/api/v1/sessions/s1/approve', { ...body, decision: 'allow' });
		expect(second.status).toBe(409);
		expect(JSON.parse(second.body)).toEqual({
			code: 'conflict',
			message: 'This request was already decided.',
			winner: { state: 'denied', verdict: { type: 'deny', message: 'not today' }, principal: `${userInfo().username}@cli` },
		});
	});

	it('record the user and the interface that answered', async () => {
		await using rig = await startTestGateway();
		const device = await rig.addDevice();
		const answer = async (id: string, headers: Record<string, string>) => {
			rig.world.openAsk(id, { kind: 'question' });
			const body = { askId: id, nonce: `nonce-${id}`, answers: { 'Which one?': 'this' } };
			return (await rig.post('/api/v1/sessions/s1/answer', body, headers)).status;
		};
		expect(await answer('a1', {})).toBe(200);
		expect(await answer('a2', { 'x-roost-face': 'my-script' })).toBe(200);
		expect(await answer('a3', { ...(await device.logIn()), 'x-roost-face': 'cli' })).toBe(200);
		expect(rig.world.answeredBy.map(({ face }) => face)).toEqual(['http', 'my-script', `web:${device.id}`]);
		for (const face of ['Cli', 'a b', 'x'.repeat(21), ''])
			expect.soft(await answer('a4', { 'x-roost-face': face }), face).toBe(400);
		expect(rig.world.answeredBy).toHaveLength(3);
	});
});

describe('rules and launches over HTTP', () => {
	it('adds, lists, tests and removes a rule', async () => {
		await using rig = await startTestGateway();
		const added = await rig.post('/api/v1/rules', { tool: 'Bash', decision: 'deny', scope: 'user' });
		expect(added.status).toBe(201);
		const rule = JSON.parse(added.body);
		expect(JSON.parse((await rig.call({ path: '/api/v1/rules' })).body)).toEqual([rule]);
		const tested = await rig.post('/api/v1/rules/test', { tool: 'Bash', input: { command: 'ls' } });
		expect(JSON.parse(tested.body)).toEqual({ decision: 'deny', rule });
		const remove = () => rig.call({ method: 'DELETE', path: `/api/v1/rules/${rule.id}` });
		expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
	});

	it('tests a rule against the requested number of past calls', async () => {
		await using rig = await startTestGateway();
		await rig.world.store('s1', 2);
		const rule = { tool: 'Bash', decision: 'deny', scope: 'user' };
		const history = await rig.post('/api/v1/rules/history', { rule, calls: 5 });
		expect([history.status, JSON.parse(history.body)]).toEqual([
			200,
			{ looked: { calls: 0, since: expect.any(Number), complete: true }, matches: [] },
		]);
		for (const body of [{}, { rule, calls: 0 }, { rule, calls: 5_001 }, { rule: { ...rule, scope: 'project' } }, { ...rule }]) {
			const refused = await rig.post('/api/v1/rules/history', body);
			expect.soft([refused.status, JSON.parse(refused.body).code]).toEqual([400, 'bad_request']);
		}
	});

	it('opens and ends a launch', async () => {
		await using rig = await startTestGateway();
		const body = { agent: 'claude', cwd: '/project', gate: 'observe', headless: false, pid: 1 };
		const opened = await rig.post('/api/v1/launches', body);
		expect(opened.status).toBe(201);
		const path = `/api/v1/launches/${JSON.parse(opened.body).launchId}/end`;
		expect((await rig.call({ method: 'POST', path })).body).toBe('{"sessionId":null}');
		expect((await rig.post(path, {})).status).toBe(404);
	});
});

describe('bad requests', () => {
	it('are rejected with an error that names the field', async () => {
		await using rig = await startTestGateway();
		const approve = { askId: 'a1', nonce: 'n', decision: 'allow' };
		const faults: [string, unknown, string][] = [
			['/api/v1/rules', { tool: 'Bash', decision: 'maybe', scope: 'user' }, 'body.decision'],
			['/api/v1/rules', { tool: 'Bash', decision: 'deny', scope: 'user', extra: 1 }, '"extra"'],
			['/api/v1/rules', [], 'body'],
			['/api/v1/sessions/s1/approve', { ...approve, nonce: '' }, 'body.nonce'],
			['/api/v1/sessions/s1/approve', { ...approve, rule: { tool: 7 } }, 'body.rule.tool'],
			['/api/v1/launches', { agent: 'claude', cwd: '/p', gate: 'open', headless: true, pid: 1 }, 'body.gate'],
			['/api/v1/tickets?a=b', {}, 'query'],
		];
		for (const [path, body, named] of faults) {
			const { status, body: answer } = await rig.post(path, body);
			expect.soft([status, JSON.parse(answer).code], path).toEqual([400, 'bad_request']);
			expect.soft(JSON.parse(answer).message).toContain(named);
		}
		for (const query of ['after=-1', 'after=x', 'after=1e3', 'limit=0', 'limit=1001', 'after=1&after=2', 'other=1', 'after=']) {
			const { status } = await rig.call({ path: `/api/v1/sessions/s1/events?${query}` });
			expect.soft(status, query).toBe(400);
		}
	});

	it('get a matching status if they are too large, too deep, not JSON or of another type', async () => {
		await using rig = await startTestGateway();
		const send = async (body: string, type = 'application/json') => {
			const headers = { ...BEARER, 'content-type': type };
			const answer = await rig.call({ method: 'POST', path: '/api/v1/rules', headers, body });
			return [answer.status, JSON.parse(answer.body).code];
		};
		expect(await send('{')).toEqual([400, 'bad_request']);
		expect(await send('{}', 'text/plain')).toEqual([415, 'bad_request']);
		expect(await send(`${'['.repeat(65)}${']'.repeat(65)}`)).toEqual([413, 'too_large']);
		expect(await send(JSON.stringify({ tool: 'x'.repeat(1024 * 1024) }))).toEqual([413, 'too_large']);
		expect((await rig.call({ path: '/api/v1/asks' })).status).toBe(200);
	});

	it('get 404 in JSON for an unknown route', async () => {
		await using rig = await startTestGateway();
		for (const [method, path] of [
			['GET', '/page.html'],
			['GET', '/api/v1/nothing'],
			['PUT', '/api/v1/rules'],
			['HEAD', '/healthz'],
		] as const) {
			const { status, headers } = await rig.call({ method, path });
			expect.soft([status, headers['content-type']], path).toEqual([404, 'application/json; charset=utf-8']);
		}
		expect((await rig.call({ path: '/api/v1/stream' })).status).toBe(426);
	});

	it('get only a reference for an internal error, with the details in the log', async () => {
		const list = () => {
			throw new Error('inner secret');
		};
		await using rig = await startTestGateway({}, (backend) => ({ ...backend, rules: { ...backend.rules, list } }));
		const { status, body } = await rig.call({ path: '/api/v1/rules' });
		expect([status, JSON.parse(body).code]).toEqual([500, 'internal']);
		expect(body).not.toContain('inner secret');
		expect(JSON.stringify(rig.logged)).toContain('inner secret');
	});
});

describe('OpenAPI document', () => {
	it('describes every route of the router and no others', async () => {
		await using rig = await startTestGateway();
		const document = JSON.parse((await rig.call({ path: '/api/v1/openapi.json' })).body);
		const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
		const isOfRunner = (url: string) => url.startsWith('/api/v1/runners/:runner/');
		const isPage = /^\/(?:[a-z0-9-]+[.][a-z]+|assets\/.+)?$/;
		const routes = rig.gateway.routes().filter(({ url }) => !isPage.test(url) && !isOfRunner(url));
		const registered = routes.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
		expect(described.toSorted()).toEqual(registered.toSorted());
	});

	it('contains the parameters and bodies of the validating schemas', async () => {
		await using rig = await startTestGateway();
		const { paths } = JSON.parse((await rig.call({ path: '/api/v1/openapi.json' })).body);
		const events = paths['/api/v1/sessions/{id}/events'].get;
		expect(events.parameters).toMatchObject([
			{ name: 'id', in: 'path', required: true },
			{ name: 'after', in: 'query', required: false },
			{ name: 'limit', in: 'query', required: false },
			{ name: 'around', in: 'query', required: false },
		]);
		const body = paths['/api/v1/rules'].post.requestBody.content['application/json'].schema;
		expect(body).toMatchObject({ required: ['tool', 'decision', 'scope'], additionalProperties: false });
		expect(paths['/healthz'].get.security).toEqual([]);
	});
});
