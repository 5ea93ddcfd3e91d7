// A web page on another origin against a real runner, with exactly the headers that browsers send: every request is refused.
import { ticketIssued } from '@roost/protocol/api/devices';
import { type AskRow, askRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RawResponse, sendRaw } from '../rigs/api/raw-http.ts';
import { upgradeRaw } from '../rigs/api/raw-stream.ts';
import { registerTestDevice } from '../rigs/api/test-device.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const EVIL = 'http://evil.example';

describe('web page on another origin', () => {
	it('reaches no route with any request, with or without the token of a device', {
		timeout: 120_000,
	}, async () => {
		await using world = await startWorld();
		const before = await world.state();
		const routes = await world.routes();
		expect(routes.length).toBeGreaterThanOrEqual(17);
		for (const { path, isOpen } of routes) {
			for (const { name, method, headers } of shapesFor(world.roost.port)) {
				for (const stolen of withAndWithout({ authorization: world.authorization })) {
					const label = `${name} ${method} ${path}${'authorization' in stolen ? ' with a bearer' : ''}`;
					const body = method === 'POST' ? world.bodyFor(path) : undefined;
					const reply = await sendRaw({
						port: world.roost.port,
						method,
						path,
						headers: { ...headers, ...stolen },
						...(body === undefined ? {} : { body }),
					});
					expectRefused(reply, label, isOpen && method === 'GET' && !('origin' in headers));
				}
			}
		}
		expect(await world.state()).toEqual(before);
	});

	it('cannot open a stream', async () => {
		await using world = await startWorld();
		const { port } = world.roost;
		const pages: Record<string, string>[] = [
			{ origin: EVIL },
			{ origin: 'null' },
			{ origin: `http://localhost:${port + 1}` },
			{ origin: `https://127.0.0.1:${port}` },
			{ origin: `http://evil.example:${port}`, host: `evil.example:${port}` },
			{},
		];
		for (const page of pages) {
			for (const stolen of withAndWithout({ authorization: world.authorization })) {
				const fetched = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket', 'sec-fetch-dest': 'empty' };
				const opened = await upgradeRaw({ port, headers: { ...fetched, ...page, ...stolen } });
				expect.soft('status' in opened ? [401, 403].includes(opened.status) : 'open', JSON.stringify(page)).toBe(true);
			}
		}
	});

	it('cannot report through the hook endpoint', async () => {
		await using world = await startWorld();
		const { port, pathname } = new URL(world.hooks.httpUrl);
		const body = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 'n1', prompt: 'from a page' });
		for (const { name, method, headers } of shapesFor(Number(port))) {
			// A page is refused even if it knows the secret.
			for (const secret of withAndWithout({ authorization: `Bearer ${world.hooks.secret}` })) {
				const isPage = 'origin' in headers || method !== 'GET';
				const reply = await sendRaw({
					port: Number(port),
					method,
					path: pathname,
					headers: { ...headers, ...secret },
					...(method === 'POST' ? { body } : {}),
				});
				expect.soft(isPage ? [401, 403] : [401, 403, 405], `${name} ${method}`).toContain(reply.status);
				expectNothingShared(reply, name);
			}
		}
		expect((await world.roost.call('GET', `/api/v1/sessions/${world.session}/events`)).body).not.toContain('from a page');
	});
});

function withAndWithout(headers: Record<string, string>): Record<string, string>[] {
	return [{}, headers];
}

type Shape = { name: string; method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE'; headers: Record<string, string> };

function shapesFor(port: number): Shape[] {
	const host = { host: `127.0.0.1:${port}` };
	const fetched = (site: string, mode: string, dest: string) => ({
		...host,
		'sec-fetch-site': site,
		'sec-fetch-mode': mode,
		'sec-fetch-dest': dest,
		referer: `${EVIL}/`,
	});
	const from = (origin: string) => ({ origin });
	const text = { 'content-type': 'text/plain;charset=UTF-8' };
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	const json = { 'content-type': 'application/json' };
	const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };
	const neighbour = `http://127.0.0.1:${port + 1}`;
	const rebound = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
	return [
		{ name: 'fetch', method: 'POST', headers: { ...fetched('cross-site', 'no-cors', 'empty'), ...from(EVIL), ...text } },
		{ name: 'fetch with json', method: 'POST', headers: { ...fetched('cross-site', 'cors', 'empty'), ...from(EVIL), ...json } },
		{
			name: 'fetch of a sandbox',
			method: 'POST',
			headers: { ...fetched('cross-site', 'cors', 'empty'), ...from('null'), ...json },
		},
		{ name: 'fetch that deletes', method: 'DELETE', headers: { ...fetched('cross-site', 'cors', 'empty'), ...from(EVIL) } },
		{ name: 'fetch that reads', method: 'GET', headers: { ...fetched('cross-site', 'cors', 'empty'), ...from(EVIL) } },
		{ name: 'form', method: 'POST', headers: { ...fetched('cross-site', 'navigate', 'document'), ...from(EVIL), ...form } },
		{ name: 'beacon', method: 'POST', headers: { ...fetched('cross-site', 'no-cors', 'empty'), ...from(EVIL), ...text } },
		{ name: 'preflight', method: 'OPTIONS', headers: { ...fetched('cross-site', 'cors', 'empty'), ...from(EVIL), ...preflight } },
		{
			name: 'preflight to a private network',
			method: 'OPTIONS',
			headers: { ...host, ...from(EVIL), ...preflight, 'access-control-request-private-network': 'true' },
		},
		{ name: 'image', method: 'GET', headers: fetched('cross-site', 'no-cors', 'image') },
		{ name: 'script', method: 'GET', headers: fetched('cross-site', 'no-cors', 'script') },
		{ name: 'frame', method: 'GET', headers: fetched('cross-site', 'navigate', 'iframe') },
		{ name: 'image of a neighbour port', method: 'GET', headers: fetched('same-site', 'no-cors', 'image') },
		{
			name: 'fetch of a neighbour port',
			method: 'POST',
			headers: { ...fetched('same-site', 'cors', 'empty'), ...from(neighbour), ...json },
		},
		{ name: 'rebound name', method: 'POST', headers: { ...fetched('same-origin', 'cors', 'empty'), ...rebound, ...json } },
		{
			name: 'rebound name that reads',
			method: 'GET',
			headers: { ...fetched('same-origin', 'cors', 'empty'), host: rebound.host },
		},
	];
}

/** Resources without a credential may be loaded by a page that cannot read them; everything else is refused. */
function expectRefused(reply: RawResponse, label: string, mayLoad: boolean): void {
	const refused = [401, 403, 429].includes(reply.status);
	expect.soft(refused || mayLoad ? 'refused' : reply.status, label).toBe('refused');
	expect.soft(reply.headers['cross-origin-resource-policy'], label).toBe('same-origin');
	expectNothingShared(reply, label);
}

function expectNothingShared({ headers }: RawResponse, label: string): void {
	expect
		.soft(
			Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'set-cookie'),
			label,
		)
		.toEqual([]);
}

const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.object({ security: z.unknown().optional() }))) });

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: 'n1', source: 'startup' });
	const ask = await openAsk(roost, agent.report);
	const { authorization } = await logIn(roost);
	const owned = stack.move();
	return {
		roost,
		authorization,
		hooks: agent.hooks,
		session: agent.sessionId,
		/** Every path of the API, and whether some method of it needs no credential. */
		async routes() {
			const { paths } = openApi.parse(JSON.parse((await roost.call('GET', '/api/v1/openapi.json')).body));
			return Object.entries(paths).map(([path, operations]) => ({
				path: path.replace('{id}', ask.sessionId).replace(/\{\w+\}/, 'x'),
				isOpen: Object.values(operations).some(({ security }) => security !== undefined),
			}));
		},
		/** A body that would have an effect. */
		bodyFor: (path: string) =>
			JSON.stringify(
				path.endsWith('/approve')
					? { askId: ask.id, nonce: ask.nonce, decision: 'allow' }
					: { tool: '*', decision: 'allow', scope: 'user' },
			),
		state: async () =>
			await Promise.all(
				['rules', 'asks?all=true', 'sessions'].map(async (what) => (await roost.call('GET', `/api/v1/${what}`)).body),
			),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function openAsk(roost: RunnerProcess, report: (payload: Record<string, unknown>) => Promise<unknown>): Promise<AskRow> {
	const ask = { hook_event_name: 'PermissionRequest', session_id: 'n1', tool_name: 'Bash', tool_input: { command: 'make' } };
	// It waits until the runner ends.
	report(ask).catch(() => undefined);
	return await waitFor(async () => z.array(askRow).parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body))[0], {
		what: 'the ask',
	});
}

async function logIn(roost: RunnerProcess): Promise<{ authorization: string }> {
	const { ticket } = ticketIssued.parse(JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body));
	return await (await registerTestDevice(roost.port, ticket)).logIn();
}
