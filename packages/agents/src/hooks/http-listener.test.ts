import { createConnection } from 'node:net';
import { RUNTIME_ERROR } from '@roost/core/runtime/event';
import { type HookRig, openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const STOP = { hook_event_name: 'Stop', session_id: 's1' };

/** Raw HTTP, for the headers that fetch will not send. Resolves with the status. */
function raw(
	rig: HookRig,
	headers: Record<string, string>,
	options: { method?: string; path?: string; body?: string } = {},
): Promise<number> {
	const { method = 'POST', path = '/hook', body = JSON.stringify(STOP) } = options;
	const own = new URL(rig.server.httpUrl);
	const all = {
		host: own.host,
		authorization: `Bearer ${rig.launch.secret}`,
		'content-type': 'application/json',
		'content-length': `${Buffer.byteLength(body)}`,
		connection: 'close',
		...headers,
	};
	const head = Object.entries(all).filter(([, value]) => value !== '');
	return new Promise((resolve, reject) => {
		const socket = createConnection(Number(own.port), own.hostname);
		let text = '';
		socket.on('data', (chunk) => {
			text += chunk;
		});
		socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
		socket.on('error', reject);
		socket.write(`${method} ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
	});
}

describe('HTTP access', () => {
	it('accepts only the right secret', async () => {
		await using rig = await openHookRig();
		const { secret } = rig.launch;
		const swapped = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
		const wrong = [
			`Bearer ${swapped}`,
			'',
			'Bearer',
			'Bearer x',
			`bearer ${secret}`,
			`Basic ${secret}`,
			`Bearer ${secret}x`,
			`Bearer ${secret.slice(1)}`,
		];
		for (const authorization of wrong) expect(await raw(rig, { authorization })).toBe(401);
		expect(await raw(rig, {})).toBe(204);
		expect(rig.events).toHaveLength(1);
		expect(rig.refused).toHaveLength(wrong.length);
	});

	it('returns an error as code and message', async () => {
		await using rig = await openHookRig();
		const response = await rig.post(STOP, { headers: { authorization: 'Bearer nonsense' } });
		expect(response.status).toBe(401);
		expect(await response.json()).toEqual({ code: 'unauthorized', message: expect.any(String) });
	});

	it('rejects a Host header that is not exactly its own host and port', async () => {
		await using rig = await openHookRig();
		const { port } = new URL(rig.server.httpUrl);
		for (const host of [
			'evil.com',
			`evil.com:${port}`,
			`localhost:${port}`,
			'127.0.0.1',
			`127.0.0.1:${port}.evil.com`,
			`[::1]:${port}`,
		]) {
			expect(await raw(rig, { host })).toBe(403);
		}
		expect(rig.events).toEqual([]);
	});

	it('rejects requests from web pages, even with the secret', async () => {
		await using rig = await openHookRig();
		for (const origin of ['https://evil.com', 'null', rig.server.httpUrl.replace('/hook', '')])
			expect(await raw(rig, { origin })).toBe(403);
		expect(rig.events).toEqual([]);
	});

	it('accepts only JSON posted to /hook', async () => {
		await using rig = await openHookRig();
		expect(await raw(rig, {}, { path: '/' })).toBe(404);
		expect(await raw(rig, {}, { path: '/hook?x=1' })).toBe(404);
		expect(await raw(rig, {}, { method: 'GET', body: '' })).toBe(405);
		expect(await raw(rig, {}, { method: 'PUT' })).toBe(405);
		expect(await raw(rig, { 'content-type': 'text/plain' })).toBe(415);
		expect(await raw(rig, { 'content-type': 'application/json; charset=utf-8' })).toBe(204);
	});
});

describe('bad HTTP input', () => {
	it.each([
		['invalid JSON', '{"hook_event_name":', 400, 'bad_request'],
		['an empty body', '', 400, 'bad_request'],
		['JSON that is not an object', '"text"', 400, 'bad_request'],
		['no hook name', '{"session_id":"s1"}', 400, 'bad_request'],
		['a hook name that is not a string', '{"hook_event_name":7}', 400, 'bad_request'],
		['very deep nesting', `{"hook_event_name":"Stop","x":${'['.repeat(100_000)}`, 400, 'bad_request'],
		['a body over the size limit', JSON.stringify({ ...STOP, text: 'x'.repeat(70_000) }), 413, 'too_large'],
	])('returns and records a typed error for %s', async (_name, body, status, code) => {
		await using rig = await openHookRig({ limits: { maxBytes: 65_536 + 40_000 * (status === 400 ? 1 : 0) } });
		const response = await rig.post(body);
		expect(response.status).toBe(status);
		expect(await response.json()).toEqual({ code, message: expect.any(String) });
		expect(rig.events).toMatchObject([{ hookName: RUNTIME_ERROR, interaction: { expectsDecision: false }, payload: { code } }]);
		expect((await rig.post(STOP)).status).toBe(204);
	});

	it('does not affect a pending request when another fails', async () => {
		await using rig = await openHookRig();
		const waiting = rig.post({ hook_event_name: 'PermissionRequest' });
		await waitForLength(rig.events, 1);
		expect((await rig.post('{')).status).toBe(400);
		rig.launch.runtime.sendDecision(rig.events[0]?.id ?? '', {
			verdict: { type: 'deny', message: 'no' },
			source: 'user',
			reason: 'no',
		});
		expect((await waiting).status).toBe(200);
	});

	it('returns 429 and records it when too many requests are pending', async () => {
		await using rig = await openHookRig({ limits: { maxPending: 1 } });
		const waiting = rig.post({ hook_event_name: 'PermissionRequest' });
		await waitForLength(rig.events, 1);
		expect((await rig.post({ hook_event_name: 'PermissionRequest' })).status).toBe(429);
		rig.timers.advance(300_000);
		expect((await waiting).status).toBe(204);
		expect(rig.events).toMatchObject([
			{ hookName: 'PermissionRequest' },
			{ hookName: RUNTIME_ERROR, payload: { code: 'too_large' } },
		]);
	});
});
