import { AppError } from '@roost/protocol/app-error';
import { askId, projectId, ruleId, sessionId } from '@roost/protocol/ids';
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { Fetch } from './api-call.ts';
import { createApiClient } from './api-client.ts';

describe('API client', () => {
	it('sends token and face with every request', async () => {
		const { client, requests } = answering(200, []);
		unwrap(await client.record.sessions());
		expect(requests[0]?.init.headers).toMatchObject({ authorization: 'Bearer secret', 'x-roost-face': 'cli' });
	});

	it('requests a fresh bearer token for each request if it is renewable', async () => {
		const { fetch, requests } = fakeFetch(200, '[]');
		let renewed = 0;
		const client = createApiClient({ baseUrl: 'http://runner/', token: async () => `bearer-${++renewed}`, face: 'web', fetch });
		unwrap(await client.record.sessions());
		unwrap(await client.record.sessions());
		expect(requests[0]).toMatchObject({ url: 'http://runner/api/v1/sessions' });
		expect(requests.map(({ init }) => init.headers.authorization)).toEqual(['Bearer bearer-1', 'Bearer bearer-2']);
	});

	it('says until when a command is queued for a runner that is away', async () => {
		const queued = { queued: true, commandId: 'c1', expiresAt: Date.UTC(2026, 0, 1, 14, 2) };
		const { client } = answering(202, queued);
		const reply = await client.sessions.interrupt({ commandId: 'c1', id: sessionId.parse('s1') });
		expect(reply).toMatchObject({ ok: false, queued, error: { message: expect.stringContaining('until 14:02 UTC') } });
	});

	it('sends what was prepared, and nothing if that is refused', async () => {
		const { fetch, requests } = fakeFetch(200, '[]');
		const client = createApiClient({
			baseUrl: 'http://runner',
			token: 'secret',
			face: 'web',
			fetch,
			prepare: async ({ name, input }) =>
				name === 'asks.list'
					? { ok: true, value: { input: { ...input, all: true }, headers: { 'x-more': name } } }
					: { ok: false, error: new AppError('cannot_start', 'away') },
		});
		unwrap(await client.asks.list());
		expect(unwrapError(await client.rules.list()).message).toBe('away');
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			url: 'http://runner/api/v1/asks?all=true',
			init: { headers: { 'x-more': 'asks.list' } },
		});
	});

	it('calls every route with its method and path', async () => {
		const { client, requests } = answering(200, {});
		const id = sessionId.parse('s 1');
		const approval = { askId: askId.parse('a'), nonce: 'n', decision: 'allow' } as const;
		await client.record.sessions({ projectId: projectId.parse('/my project') });
		await client.record.session({ id });
		await client.feed.events({ id, after: 3, limit: 10 });
		await client.asks.list();
		await client.asks.list({ all: true });
		await client.asks.approve({ id, ...approval });
		await client.asks.answer({ id, askId: askId.parse('a'), nonce: 'n', answers: { q: 'x' } });
		await client.rules.list();
		await client.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user' });
		await client.rules.remove({ id: ruleId.parse('r/1') });
		await client.rules.test({ tool: 'Bash', input: {} });
		await client.rules.history({ rule: { tool: 'Bash', decision: 'allow', scope: 'user' }, calls: 10 });
		await client.launches.open({ agent: 'claude', cwd: '/', gate: 'observe', headless: false, pid: 1 });
		await client.launches.end({ id: 'l' });
		await client.server.overview();
		await client.login.ticket();
		await client.server.health();
		expect(requests.map(({ url, init }) => `${init.method} ${url.replace('http://runner', '')}`)).toEqual([
			'GET /api/v1/sessions?projectId=%2Fmy%20project',
			'GET /api/v1/sessions/s%201',
			'GET /api/v1/sessions/s%201/events?after=3&limit=10',
			'GET /api/v1/asks',
			'GET /api/v1/asks?all=true',
			'POST /api/v1/sessions/s%201/approve',
			'POST /api/v1/sessions/s%201/answer',
			'GET /api/v1/rules',
			'POST /api/v1/rules',
			'DELETE /api/v1/rules/r%2F1',
			'POST /api/v1/rules/test',
			'POST /api/v1/rules/history',
			'POST /api/v1/launches',
			'POST /api/v1/launches/l/end',
			'GET /api/v1/overview',
			'POST /api/v1/tickets',
			'GET /healthz',
		]);
		expect(requests[5]?.init).toMatchObject({
			body: JSON.stringify(approval),
			headers: { 'content-type': 'application/json' },
		});
	});

	it('returns sessions and stored lines unchanged', async () => {
		const row = sampleSession('s1');
		expect(unwrap(await answering(200, [row]).client.record.sessions())).toEqual([row]);
		const server = createStreamServer();
		server.append('s1');
		expect(unwrap(await answering(200, server.log).client.feed.events({ id: row.id }))).toEqual(server.log);
	});

	it('returns a reply that is not JSON as text, and its failure as an error', async () => {
		const id = sessionId.parse('s');
		const { fetch } = fakeFetch(200, '{"export":1}\n{}\n');
		expect(unwrap(await clientOver(fetch).feed.export({ id }))).toBe('{"export":1}\n{}\n');
		const { client } = answering(404, { code: 'not_found', message: 'No such session.' });
		expect(unwrapError(await client.feed.export({ id })).code).toBe('not_found');
	});

	it('accepts an empty reply when only the status matters', async () => {
		const { fetch } = fakeFetch(204, '');
		expect(await clientOver(fetch).rules.remove({ id: ruleId.parse('r') })).toEqual({ ok: true, value: undefined });
	});

	it("fails with the server's own code and message", async () => {
		const error = unwrapError(
			await answering(404, { code: 'not_found', message: 'No such session.' }).client.record.session({
				id: sessionId.parse('x'),
			}),
		);
		expect(error).toMatchObject({ code: 'not_found', message: 'No such session.' });
	});

	it('returns the winning answer of an ask that was already decided', async () => {
		const winner = { state: 'denied', verdict: { type: 'deny', message: 'no' }, principal: 'ann@web' };
		const { client } = answering(409, { code: 'conflict', message: 'Decided already.', winner });
		const reply = await client.asks.approve({ id: sessionId.parse('s'), askId: askId.parse('a'), nonce: 'n', decision: 'allow' });
		expect(reply).toMatchObject({ ok: false, error: { code: 'conflict' }, winner });
	});

	it('returns a conflict without a winner as an ordinary failure', async () => {
		const { client } = answering(409, { code: 'conflict', message: 'Another answer is being stored.' });
		const reply = await client.asks.approve({ id: sessionId.parse('s'), askId: askId.parse('a'), nonce: 'n', decision: 'allow' });
		expect(reply).not.toHaveProperty('winner');
		expect(unwrapError(reply).code).toBe('conflict');
	});

	it('suggests roost up when the runner does not answer', async () => {
		const refused = new Error('ECONNREFUSED');
		const error = unwrapError(await clientOver(() => Promise.reject(refused)).server.health());
		expect(error).toMatchObject({ code: 'cannot_start', cause: refused });
		expect(error.message).toContain('roost up');
	});

	it('treats a truncated reply as no answer', async () => {
		const text = () => Promise.reject(new Error('reset'));
		expect(unwrapError(await clientOver(async () => ({ status: 200, text })).rules.list()).code).toBe('cannot_start');
	});

	it.each([
		['is not JSON', 200, '<html>'],
		['has another shape', 200, '[{"id":1}]'],
		['is an error of another shape', 500, '{"error":"oops"}'],
		['is an error with an unknown code', 418, '{"code":"teapot","message":"no"}'],
	])('rejects a reply that %s', async (_what, status, text) => {
		expect(unwrapError(await clientOver(fakeFetch(status, text).fetch).record.sessions()).code).toBe('internal');
	});

	it.each(['.', '..', ''])('rejects the id %j, which would reach another route', async (id) => {
		const { client, requests } = answering(200, {});
		expect(unwrapError(await client.launches.end({ id })).code).toBe('bad_request');
		expect(requests).toEqual([]);
	});
});

type Requests = { url: string; init: Parameters<Fetch>[1] }[];

function answering(status: number, body: unknown) {
	const { fetch, requests } = fakeFetch(status, JSON.stringify(body));
	return { client: clientOver(fetch), requests };
}

function clientOver(fetch: Fetch) {
	return createApiClient({ baseUrl: 'http://runner', token: 'secret', face: 'cli', fetch });
}

function fakeFetch(status: number, text: string): { fetch: Fetch; requests: Requests } {
	const requests: Requests = [];
	return {
		requests,
		fetch: async (url, init) => {
			requests.push({ url, init });
			return { status, text: async () => text };
		},
	};
}
