// The real claude, offline: plugins from a marketplace in a folder, MCP servers on this machine, a login at a server of our own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddServer } from '@roost/protocol/api/mcp';
import type { PluginVerb } from '@roost/protocol/api/plugins';
import { startMcpServer } from '@roost/testkit/fakes/mcp-server';
import { findClaudeBinary } from '@roost/testkit/rigs/claude-binary';
import { createClaudeHome } from '@roost/testkit/rigs/claude-home';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openClaudeCli } from './open-claude-cli.ts';

const TIMEOUT = { timeout: 120_000 };

describe('plugins of the real claude', () => {
	it('come from a marketplace, are switched, updated and uninstalled', TIMEOUT, async () => {
		await using world = await createWorld();
		const { plugins, project, change } = world;
		const source = await createMarketplace(world.folder);
		expect(unwrap(await plugins.changeMarketplace({ verb: 'add', project, source })).output).toContain('team-tools');
		expect(unwrap(await plugins.marketplaces({ project }))).toEqual({
			marketplaces: [{ name: 'team-tools', source: 'directory', place: source }],
			unread: '',
		});
		expect(unwrap(await plugins.list({ project, available: true }))).toMatchObject({
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
		expect(await plugins.changeMarketplace({ verb: 'update', project, name: 'team-tools' })).toMatchObject({ ok: true });
		expect(await plugins.changeMarketplace({ verb: 'remove', project, name: 'team-tools' })).toMatchObject({ ok: true });
	});

	it('fail in its own words', TIMEOUT, async () => {
		await using world = await createWorld();
		expect(await world.change('install')).toMatchObject({
			ok: false,
			error: { message: expect.stringMatching(/greeter.* not found/) },
		});
		const missing = join(world.folder, 'nowhere');
		const added = await world.plugins.changeMarketplace({ verb: 'add', project: world.project, source: missing });
		expect(added).toMatchObject({
			ok: false,
			error: { code: 'agent_failed', message: expect.stringContaining('Path does not exist') },
		});
	});
});

describe('MCP servers of the real claude', () => {
	it('are added, asked how they are, shown without their secrets, and removed', TIMEOUT, async () => {
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
		const added = [await mcp.add(stdio), await mcp.add(http)];
		expect(added).toMatchObject([{ ok: true }, { ok: true, value: { output: expect.stringContaining('web') } }]);
		const sse: AddServer = { transport: 'sse', project, name: 'gone', url: 'http://127.0.0.1:9/sse', scope: 'user' };
		expect(await mcp.add(sse)).toMatchObject({ ok: true });
		expect(await mcp.add(sse)).toMatchObject({
			ok: false,
			error: { code: 'conflict', message: expect.stringContaining('already') },
		});

		const { servers, unread } = unwrap(await mcp.list({ project }));
		expect(unread).toBe('');
		expect(Object.fromEntries(servers.map(({ name, transport, status }) => [name, `${transport} ${status}`]))).toEqual({
			'local-one': 'stdio connected',
			web: 'http connected',
			gone: 'sse failed',
		});
		const details = [unwrap(await mcp.get({ project, name: 'local-one' })), unwrap(await mcp.get({ project, name: 'web' }))];
		expect(details).toMatchObject([
			{ transport: 'stdio', status: 'connected', env: ['TEAM', 'API_KEY'] },
			{ transport: 'http', status: 'connected', headers: ['X-Team'] },
		]);
		expect(JSON.stringify([added, servers, details])).not.toMatch(/very-secret|plain-secret|one two/);

		expect(await mcp.remove({ project, name: 'local-one' })).toMatchObject({ ok: true });
		expect(await mcp.remove({ project, name: 'gone', scope: 'local' })).toMatchObject({
			ok: false,
			error: { code: 'not_found' },
		});
		expect(await mcp.get({ project, name: 'local-one' })).toMatchObject({
			ok: false,
			error: { code: 'not_found', message: expect.stringContaining('No MCP server named') },
		});
	});

	it('are logged in to by whoever opens the address', TIMEOUT, async () => {
		await using world = await createWorld();
		await using server = await startMcpServer({ login: true });
		const { mcp, project } = world;
		unwrap(await mcp.add({ transport: 'http', project, name: 'tracker', url: server.url }));
		expect(unwrap(await mcp.get({ project, name: 'tracker' })).status).toBe('needs_login');
		const visits: Promise<unknown>[] = [];
		const done = await mcp.logIn({ project, name: 'tracker' }, (line) => {
			if (line.startsWith('http')) visits.push(server.consent(line));
		});
		await Promise.all(visits);
		expect(done).toMatchObject({ ok: true, value: { output: expect.stringContaining('Authenticated with "tracker"') } });
		expect(unwrap(await mcp.get({ project, name: 'tracker' })).status).toBe('connected');
		expect(await mcp.logIn({ project, name: 'nobody' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
	});
});

/** Answers what a health check asks. */
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
	const home = await createClaudeHome(folder, 'http://127.0.0.1:9');
	const binary = findClaudeBinary();
	if (!binary.found) throw new Error(binary.whatToDo);
	const agents = { claude: { command: [binary.path], env: {} } };
	const { plugins, mcp } = stack.use(openClaudeCli({ env: home.env, agents }));
	const { project } = home;
	const owned = stack.move();
	return {
		folder,
		project,
		plugins,
		mcp,
		change: (verb: PluginVerb) => plugins.change({ verb, project, plugin: 'greeter@team-tools' }),
		state: async () =>
			unwrap(await plugins.list({ project, available: false })).plugins.map(({ id, version, scope, enabled }) => [
				id,
				version,
				scope,
				enabled,
			]),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
