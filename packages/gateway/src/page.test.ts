// The page for browsers: static files under a strict policy, and one overview of sessions and requests.
import { overview } from '@roost/protocol/api/overview';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from './http/reply.ts';

describe('page', () => {
	it.each(['/', '/index.html', '/board', '/s/k3f9/changes'])(
		'is served at %s with the strict policy and without a credential',
		async (path) => {
			await using rig = await startTestGateway();
			const { status, headers, body } = await rig.call({ path, headers: { accept: 'text/html' } });
			const { 'cache-control': _, ...policy } = SECURITY_HEADERS;
			expect({ status, ...headers }).toMatchObject({ status: 200, 'content-type': 'text/html; charset=utf-8', ...policy });
			expect(headers['cache-control']).toBe('no-cache');
			expect(body).toContain('<div id="app">');
		},
	);

	it('has no inline script, style or handler, and names only its own files', async () => {
		await using rig = await startTestGateway();
		const { body } = await rig.call({ path: '/', headers: {} });
		expect(body).not.toMatch(/<script(?![^>]*\ssrc="\/)[^>]*>|<style|\sstyle=|\son\w+=|javascript:|data:|https?:/i);
	});

	it('has assets that are compressed and cached for good, because their names contain their hash', async () => {
		await using rig = await startTestGateway();
		const { body } = await rig.call({ path: '/', headers: {} });
		const assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
		expect(assets.length).toBeGreaterThanOrEqual(2);
		for (const path of assets) {
			const plain = await rig.call({ path, headers: {} });
			expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
			for (const encoding of ['br', 'gzip']) {
				const packed = await rig.call({ path, headers: { 'accept-encoding': encoding } });
				expect([packed.status, packed.headers['content-encoding']]).toEqual([200, encoding]);
				// The smallest files have few repetitions.
				expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2 + 64);
			}
			const known = { 'if-none-match': String(plain.headers.etag) };
			expect(await rig.call({ path, headers: known })).toMatchObject({ status: 304, body: '' });
		}
	});

	it.each([
		['/sw.js', 'text/javascript; charset=utf-8'],
		['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
		['/icon-192.png', 'image/png'],
	])('serves %s as %s, checked at every load', async (path, media) => {
		await using rig = await startTestGateway();
		const { status, headers } = await rig.call({ path, headers: {} });
		const { 'cache-control': _, ...policy } = SECURITY_HEADERS;
		expect({ status, ...headers }).toMatchObject({ status: 200, 'content-type': media, 'cache-control': 'no-cache', ...policy });
	});

	it('can be installed: its manifest names icons that exist, also one that may be cut to a shape', async () => {
		await using rig = await startTestGateway();
		const manifest: { icons: { src: string; purpose?: string }[] } = JSON.parse(
			(await rig.call({ path: '/manifest.webmanifest', headers: {} })).body,
		);
		expect(manifest).toMatchObject({ name: 'Roost', start_url: '/', scope: '/', display: 'standalone' });
		for (const { src } of manifest.icons) expect.soft((await rig.call({ path: src, headers: {} })).status, src).toBe(200);
		expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
	});

	it.each([
		['an address of the API', '/api/v1/nothing', { accept: 'text/html' }],
		['a request that wants no page', '/board', { accept: 'application/json' }],
		['the metrics', '/metrics', { accept: 'text/html' }],
		['a path out of its folder', '/assets/..%2f..%2fcli/start.js', {}],
	])('is not served for %s, which needs a credential', async (_what, path, headers) => {
		await using rig = await startTestGateway();
		expect((await rig.call({ path, headers })).status).toBe(401);
	});
});

describe('overview', () => {
	it('shows sessions and pending requests to a page with a device', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		rig.world.openAsk('s1.1');
		const { authorization } = await (await rig.addDevice()).logIn();
		const reply = await rig.call({ path: '/api/v1/overview', headers: { authorization, 'sec-fetch-site': 'same-origin' } });
		expect(overview.parse(JSON.parse(reply.body))).toMatchObject({
			runner: { id: 'runner-1', name: 'test', version: '0.1.0' },
			watching: 0,
			sessions: [{ id: 's1', status: 'working' }],
			asks: [{ id: 's1.1', session: 's1', tool: 'Bash', input: '{\n  "command": "ls"\n}' }],
		});
	});

	it('escapes deceptive characters and truncates nothing', async () => {
		await using rig = await startTestGateway();
		const long = 'x'.repeat(5_000);
		rig.world.openAsk('s1.1', { tool: 'Ba\u202Esh\u001b[2K', input: { command: `ls\u202E\u0085\u200b\u{e0041} ${long} # end` } });
		const { asks } = JSON.parse((await rig.call({ path: '/api/v1/overview' })).body);
		expect(asks[0].tool).toBe('Ba\\u{202e}sh\\x1b[2K');
		expect(asks[0].input).toContain(`ls\\u{202e}\\x85\\u{200b}\\u{e0041} ${long} # end`);
	});

	it('counts open streams of browsers and the terminal interface as watching, but not those of commands', async () => {
		await using rig = await startTestGateway();
		const device = await rig.addDevice();
		await using command = await rig.open();
		await command.frame('hello');
		expect(rig.gateway.watching()).toBe(0);
		await using browser = await rig.open({ headers: { origin: rig.gateway.url }, bearer: await device.bearer() });
		await browser.frame('hello');
		expect(rig.gateway.watching()).toBe(1);
		expect(JSON.parse((await rig.call({ path: '/api/v1/overview' })).body).watching).toBe(1);
	});
});
