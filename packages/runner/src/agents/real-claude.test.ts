// The real claude, offline: plugins from a marketplace in a folder, MCP servers on this machine, a login at a server of our own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddServer } from '@roost/protocol/api/mcp';
import type { PluginVerb } from '@roost/protocol/api/plugins';
import { startMcpServer } from '@roost/testkit/fakes/mcp-server';
import { callAs } from '@roost/testkit/rigs/api/call-context';
import { findClaudeBinary } from '@roost/testkit/rigs/claude/claude-binary';
import { createClaudeHome } from '@roost/testkit/rigs/claude/claude-home';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openAgentCli } from './open-agent-cli.ts';

const TIMEOUT = { timeout: 120_000 };

describe('plugins of the real claude', () => {
	it('come from a marketplace, are switched, updated and uninstalled', TIMEOUT, async () => {
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

	it('fail in its own words', TIMEOUT, async () => {
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

	it('are logged in to by opening the address', TIMEOUT, async () => {
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
	const { plugins, marketplaces, mcp } = stack.use(openAgentCli({ env: home.env, agents })).handlers;
	const { project } = home;
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
