// The real claude, offline: plugins from a marketplace in a folder, MCP servers on this machine, and a login at a local server.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AddServer } from '@roost/protocol/api/mcp';
import type { PluginVerb } from '@roost/protocol/api/plugins';
import { isRecord } from '@roost/testkit/fakes/model-request';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openAgentCli } from './open-agent-cli.ts';

const TIMEOUT = { timeout: 120_000 };

describe('plugins of the real claude', () => {
	it('are installed from a marketplace, enabled, disabled, updated and uninstalled', TIMEOUT, async () => {
		await using world = await createWorld();
		const { plugins, marketplaces, project, change } = world;
		const source = await createMarketplace(world.folder);
		expect(unwrap(await marketplaces.add({ project, source }, callAs())).output).toContain('team-tools');
		expect(unwrap(await marketplaces.list({ project }, callAs()))).toEqual({
			marketplaces: [{ name: 'team-tools', source: 'directory', place: source }],
			unread: '',
		});
		expect(unwrap(await plugins.list({ project, available: true }, callAs()))).toMatchObject({
			plugins: [],
			available: [{ id: 'greeter@team-tools', description: 'Says hello' }],
		});

		expect(await change('install')).toMatchObject({ ok: true, value: { output: expect.stringContaining('installed') } });
		expect(await world.state()).toEqual([['greeter@team-tools', '1.0.0', 'user', true]]);
		expect(await change('disable')).toMatchObject({ ok: true });
		expect(await world.state()).toEqual([['greeter@team-tools', '1.0.0', 'user', false]]);
		expect(await change('disable')).toMatchObject({ ok: false, error: { code: 'conflict' } });
		expect(await change('enable')).toMatchObject({ ok: true });
		expect(await change('update')).toMatchObject({ ok: true, value: { output: expect.stringContaining('1.0.0') } });
		expect(await change('uninstall')).toMatchObject({ ok: true });
		expect(await world.state()).toEqual([]);
		expect(await change('uninstall')).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(await marketplaces.update({ project, name: 'team-tools' }, callAs())).toMatchObject({ ok: true });
		expect(await marketplaces.remove({ project, name: 'team-tools' }, callAs())).toMatchObject({ ok: true });
	});

	it('report the error message of claude', TIMEOUT, async () => {
		await using world = await createWorld();
		expect(await world.change('install')).toMatchObject({
			ok: false,
			error: { message: expect.stringMatching(/greeter.* not found/) },
		});
		const missing = join(world.folder, 'nowhere');
		const added = await world.marketplaces.add({ project: world.project, source: missing }, callAs());
		expect(added).toMatchObject({
			ok: false,
			error: { code: 'agent_failed', message: expect.stringContaining('Path does not exist') },
		});
	});
});

describe('MCP servers of the real claude', () => {
	it('are added, checked, shown without their secrets, and removed', TIMEOUT, async () => {
		await using world = await createWorld();
		await using server = await startMcpServer();
		const { mcp, project } = world;
		const script = join(world.folder, 'server.mjs');
		await writeFile(script, STDIO_SERVER);
		const stdio: AddServer = {
			...{ transport: 'stdio', project, name: 'local-one', command: process.execPath, args: [script, '--', '--flag'] },
			env: { TEAM: 'one two\n three', API_KEY: 'very-secret-value' },
		};
		const http: AddServer = { transport: 'http', project, name: 'web', url: server.url, headers: { 'X-Team': 'plain-secret' } };
		const added = [await mcp.add(stdio, callAs()), await mcp.add(http, callAs())];
		expect(added).toMatchObject([{ ok: true }, { ok: true, value: { output: expect.stringContaining('web') } }]);
		const sse: AddServer = { transport: 'sse', project, name: 'gone', url: 'http://127.0.0.1:9/sse', scope: 'user' };
		expect(await mcp.add(sse, callAs())).toMatchObject({ ok: true });
		expect(await mcp.add(sse, callAs())).toMatchObject({
			ok: false,
			error: { code: 'conflict', message: expect.stringContaining('already') },
		});

		const { servers, unread } = unwrap(await mcp.list({ project }, callAs()));
		expect(unread).toBe('');
		expect(Object.fromEntries(servers.map(({ name, transport, status }) => [name, `${transport} ${status}`]))).toEqual({
			'local-one': 'stdio connected',
			web: 'http connected',
			gone: 'sse failed',
		});
		const details = [
			unwrap(await mcp.show({ project, name: 'local-one' }, callAs())),
			unwrap(await mcp.show({ project, name: 'web' }, callAs())),
		];
		expect(details).toMatchObject([
			{ transport: 'stdio', status: 'connected', env: ['TEAM', 'API_KEY'] },
			{ transport: 'http', status: 'connected', headers: ['X-Team'] },
		]);
		expect(JSON.stringify([added, servers, details])).not.toMatch(/very-secret|plain-secret|one two/);

		expect(await mcp.remove({ project, name: 'local-one' }, callAs())).toMatchObject({ ok: true });
		expect(await mcp.remove({ project, name: 'gone', scope: 'local' }, callAs())).toMatchObject({
			ok: false,
			error: { code: 'not_found' },
		});
		expect(await mcp.show({ project, name: 'local-one' }, callAs())).toMatchObject({
			ok: false,
			error: { code: 'not_found', message: expect.stringContaining('No MCP server named') },
		});
	});

	it('are logged in to by opening the printed URL', TIMEOUT, async () => {
		await using world = await createWorld();
		await using server = await startMcpServer({ login: true });
		const { mcp, project } = world;
		unwrap(await mcp.add({ transport: 'http', project, name: 'tracker', url: server.url }, callAs()));
		expect(unwrap(await mcp.show({ project, name: 'tracker' }, callAs())).status).toBe('needs_login');
		const visits: Promise<unknown>[] = [];
		const open = (line: string) => {
			if (line.startsWith('http')) visits.push(server.consent(line));
		};
		const done = await mcp.logIn({ project, name: 'tracker' }, callAs(undefined, open));
		await Promise.all(visits);
		expect(done).toMatchObject({ ok: true, value: { output: expect.stringContaining('Authenticated with "tracker"') } });
		expect(unwrap(await mcp.show({ project, name: 'tracker' }, callAs())).status).toBe('connected');
		expect(await mcp.logIn({ project, name: 'nobody' }, callAs())).toMatchObject({ ok: false, error: { code: 'not_found' } });
	});
});

/** Answers health checks. */
const STDIO_SERVER = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	const info = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } };
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? info : {} }));
}`;

async function createMarketplace(folder: string): Promise<string> {
	const root = join(folder, 'team-tools');
	const plugin = { name: 'greeter', version: '1.0.0', description: 'Says hello' };
	const offered = [{ name: plugin.name, source: './plugins/greeter', description: plugin.description }];
	await mkdir(join(root, '.claude-plugin'), { recursive: true });
	await mkdir(join(root, 'plugins/greeter/.claude-plugin'), { recursive: true });
	const catalogue = { name: 'team-tools', owner: { name: 'Team' }, plugins: offered };
	await writeFile(join(root, '.claude-plugin/marketplace.json'), JSON.stringify(catalogue));
	await writeFile(join(root, 'plugins/greeter/.claude-plugin/plugin.json'), JSON.stringify(plugin));
	return root;
}

async function createWorld() {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const { env, project, program } = stack.use(await openClaudeRig({ script: scriptTurns() }));
	const agents = { claude: { command: [program], env: {} } };
	const { plugins, marketplaces, mcp } = stack.use(openAgentCli({ env, agents })).handlers;
	const owned = stack.move();
	return {
		folder,
		project,
		plugins,
		marketplaces,
		mcp,
		change: (verb: PluginVerb) => plugins[verb]({ project, plugin: 'greeter@team-tools' }, callAs()),
		state: async () =>
			unwrap(await plugins.list({ project, available: false }, callAs())).plugins.map(({ id, version, scope, enabled }) => [
				id,
				version,
				scope,
				enabled,
			]),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

type FakeMcpServer = AsyncDisposable & {
	readonly url: string;
	/** Opens the login address like a user, and follows the redirect. */
	consent(loginUrl: string): Promise<void>;
};

const TOKEN = 'token-of-the-fake';

/** An MCP server on loopback that answers health checks; with `login`, only after a login. */
async function startMcpServer({ login = false }: { login?: boolean } = {}): Promise<FakeMcpServer> {
	const server = createServer((request, response) => void answer(request, response));
	const listening = Promise.withResolvers<void>();
	server.listen(0, '127.0.0.1', listening.resolve);
	await listening.promise;
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const origin = `http://127.0.0.1:${address.port}`;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await text(request);
		const path = request.url ?? '';
		if (path === '/mcp' && (!login || request.headers.authorization === `Bearer ${TOKEN}`)) return answerRpc(body, response);
		if (path === '/token') return send(response, 200, { access_token: TOKEN, token_type: 'Bearer', expires_in: 3_600 });
		if (path === '/register') return send(response, 201, { ...toRecord(body), client_id: 'client' });
		if (path.includes('oauth-protected-resource'))
			return send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
		if (path.includes('oauth-authorization-server')) return send(response, 200, toMetadata(origin));
		const resource = `${origin}/.well-known/oauth-protected-resource/mcp`;
		send(response, 401, { error: 'unauthorized' }, { 'www-authenticate': `Bearer resource_metadata="${resource}"` });
	}

	return {
		url: `${origin}/mcp`,
		async consent(loginUrl) {
			const { searchParams } = new URL(loginUrl);
			const back = new URL(searchParams.get('redirect_uri') ?? '');
			back.searchParams.set('code', 'yes');
			back.searchParams.set('state', searchParams.get('state') ?? '');
			await (await fetch(back)).text();
		},
		async [Symbol.asyncDispose]() {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			server.closeAllConnections();
			await closed.promise;
		},
	};
}

function answerRpc(body: string, response: ServerResponse): void {
	const { id, method, params } = toRecord(body);
	const status = body === '' ? 405 : 202;
	const { protocolVersion } = isRecord(params) ? params : {};
	const hello = { protocolVersion, capabilities: {}, serverInfo: { name: 'fake', version: '1' } };
	if (id === undefined) send(response, status, {});
	else send(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? hello : {} });
}

function toMetadata(origin: string): object {
	return {
		issuer: origin,
		authorization_endpoint: `${origin}/authorize`,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code'],
		code_challenge_methods_supported: ['S256'],
	};
}

function toRecord(body: string): Readonly<Record<string, unknown>> {
	const value: unknown = body === '' ? {} : JSON.parse(body);
	return isRecord(value) ? value : {};
}

function send(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(value));
}
