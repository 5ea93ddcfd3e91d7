import { commandProgress } from '@roost/protocol/api/claude-commands';
import { mcpServerDetail, mcpServerList } from '@roost/protocol/api/mcp';
import { pluginList } from '@roost/protocol/api/plugins';
import { startTestGateway } from '@roost/testkit/rigs/test-gateway';
import { describe, expect, it } from 'vitest';
import { createCommandBoard } from '../command-board.ts';

const project = '/project';

describe('plugins over the API', () => {
	it('are changed once for each id, and tell how far they are', async () => {
		await using world = await startWorld();
		const body = { commandId: 'c1', project, plugin: 'a@b' };
		const first = await world.call('POST', '/plugins/install', body);
		expect(first).toEqual({ status: 200, body: { output: 'install: a@b' } });
		expect(await world.call('POST', '/plugins/install', body)).toEqual(first);
		expect(await world.call('POST', '/plugins/disable', body)).toMatchObject({ status: 409 });
		const progress = await world.call('GET', '/commands/c1');
		expect(commandProgress.parse(progress.body)).toMatchObject({ running: false, lines: ['install a@b'] });
		const listed = await world.call('GET', `/plugins?project=${project}`);
		expect(pluginList.parse(listed.body).plugins).toHaveLength(1);
	});

	it('that are not there are a 404, and a bad name a 400 in one sentence', async () => {
		await using world = await startWorld();
		expect(await world.call('POST', '/plugins/update', { commandId: 'c1', project, plugin: 'nothing' })).toMatchObject({
			status: 404,
		});
		expect(await world.call('POST', '/plugins/update', { commandId: 'c2', project, plugin: '--help' })).toMatchObject({
			status: 400,
			body: { message: expect.stringContaining('expected the name of a plugin') },
		});
		expect(await world.call('GET', '/plugins')).toMatchObject({ status: 400 });
	});

	it.each([
		['add', { source: 'owner/repo' }],
		['remove', { name: 'm' }],
		['update', {}],
	])('come from marketplaces: %s', async (verb, body) => {
		await using world = await startWorld();
		const done = await world.call('POST', `/plugins/marketplaces/${verb}`, { commandId: 'c', project, ...body });
		expect(done).toEqual({ status: 200, body: { output: verb } });
	});
});

describe('MCP servers over the API', () => {
	it('are added, found, logged in to and removed', async () => {
		await using world = await startWorld();
		const server = { transport: 'stdio', name: 'db', command: 'run', args: ['--x'], env: { A: '1' } };
		expect(await world.call('POST', '/mcp', { commandId: 'c1', project, ...server })).toMatchObject({ status: 200 });
		expect(mcpServerList.parse((await world.call('GET', `/mcp?project=${project}`)).body).servers).toHaveLength(1);
		expect(mcpServerDetail.parse((await world.call('GET', `/mcp/db?project=${project}`)).body).name).toBe('db');
		expect(await world.call('POST', '/mcp/db/auth', { commandId: 'c2', project })).toMatchObject({ status: 200 });
		expect((await world.call('GET', '/commands/c2')).body).toMatchObject({ lines: ['https://login.example.com'] });
		expect(await world.call('POST', '/mcp/db/remove', { commandId: 'c3', project })).toMatchObject({ status: 200 });
		expect(await world.call('GET', `/mcp/db?project=${project}`)).toMatchObject({ status: 404 });
	});

	it('are refused without repeating a secret', async () => {
		await using world = await startWorld();
		const server = { commandId: 'c', project, transport: 'http', name: 'x', url: 'http://h/', headers: { A: 'top\nsecret' } };
		const refused = await world.call('POST', '/mcp', server);
		expect(refused.status).toBe(400);
		expect(JSON.stringify(refused.body)).not.toMatch(/secret/);
	});
});

describe('the board of long commands', () => {
	it('keeps the latest lines and says how many it dropped', async () => {
		let now = 0;
		const board = createCommandBoard(() => now);
		await board.run('c', async (tell) => {
			for (let line = 1; line <= 60; line += 1) tell(`line ${line}`);
			now = 1_500;
			const { lines, ...rest } = board.look('c');
			expect(rest).toEqual({ running: true, elapsedMs: 1_500, dropped: 10 });
			expect([lines.length, lines[0], lines.at(-1)]).toEqual([50, 'line 11', 'line 60']);
		});
		expect(board.look('c').running).toBe(false);
	});

	it('knows nothing of an id that it never saw, and forgets the oldest', async () => {
		const board = createCommandBoard(() => 0);
		for (let at = 0; at < 65; at += 1) await board.run(`c${at}`, async (tell) => tell('x'));
		expect(board.look('c0').lines).toEqual([]);
		expect(board.look('c1').lines).toEqual(['x']);
	});
});

async function startWorld() {
	const rig = await startTestGateway();
	return {
		async call(method: 'GET' | 'POST', path: string, body?: object) {
			const full = `/api/v1${path}`;
			const reply = method === 'GET' ? await rig.call({ path: full }) : await rig.post(full, body);
			return { status: reply.status, body: JSON.parse(reply.body) };
		},
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
}
