import { chmodSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTitle } from '@roost/core/feed/title';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { AppError } from '@roost/protocol/app-error';
import { runnerId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openRunnerStream } from '../record/runner-stream.ts';
import { createMcpTrustCommands } from './mcp-trust-commands.ts';

const LEA = { name: 'lea', face: 'cli' };
const [ONE, TWO] = ['1'.repeat(64), '2'.repeat(64)];

describe('trust in MCP servers', () => {
	it('applies to one project, one name and one configuration', async () => {
		await using temp = await createTempDir();
		const trust = createMcpTrust({ data: temp.path });
		expect(trust.isTrusted('/a', 's', ONE)).toBe(false);
		unwrap(trust.trust('/a', 's', ONE));
		expect(trust.isTrusted('/a', 's', ONE)).toBe(true);
		expect([
			trust.isTrusted('/a', 's', TWO),
			trust.isTrusted('/a', 'other', ONE),
			trust.isTrusted('/a/b', 's', ONE),
			trust.isTrusted('/', 's', ONE),
		]).toEqual([false, false, false, false]);
	});

	it('applies to a new configuration only when it is granted again', async () => {
		await using temp = await createTempDir();
		const trust = createMcpTrust({ data: temp.path });
		unwrap(trust.trust('/a', 's', ONE));
		unwrap(trust.trust('/a', 's', TWO));
		expect(trust.isTrusted('/a', 's', ONE)).toBe(false);
		expect(unwrap(trust.list('/a'))).toEqual([{ project: '/a', name: 's', hash: TWO }]);
	});

	it('can be revoked, and survives a restart', async () => {
		await using temp = await createTempDir();
		unwrap(createMcpTrust({ data: temp.path }).trust('/a', 's', ONE));
		const next = createMcpTrust({ data: temp.path });
		expect(next.isTrusted('/a', 's', ONE)).toBe(true);
		expect(unwrap(next.untrust('/a', 's'))).toBe(true);
		expect(unwrap(next.untrust('/a', 's'))).toBe(false);
		expect(next.isTrusted('/a', 's', ONE)).toBe(false);
	});

	it('is stored in one file that only its owner can read', async () => {
		await using temp = await createTempDir();
		const trust = createMcpTrust({ data: temp.path });
		unwrap(trust.trust('/a', 's', ONE));
		expect(readdirSync(temp.path)).toEqual(['mcp-trust.json']);
		const file = join(temp.path, 'mcp-trust.json');
		expect(lstatSync(file).mode & 0o777).toBe(0o600);
		chmodSync(file, 0o644);
		expect(trust.isTrusted('/a', 's', ONE)).toBe(true);
		expect(lstatSync(file).mode & 0o777).toBe(0o600);
	});

	it.each(['', '{', '[]', 'null', '{"trusted":{}}', `{"trusted":[{"project":"/a","name":"s"}]}`])(
		'is not granted, and the file is not changed, if the file is malformed: %j',
		async (text) => {
			await using temp = await createTempDir();
			writeFileSync(join(temp.path, 'mcp-trust.json'), text, { mode: 0o600 });
			const trust = createMcpTrust({ data: temp.path });
			expect(trust.isTrusted('/a', 's', ONE)).toBe(false);
			expect(unwrapError(trust.trust('/a', 's', ONE)).message).toContain('Remove it and trust your MCP servers again');
		},
	);

	it('is not read through a symlink', async () => {
		await using temp = await createTempDir();
		await putFiles(temp.path, { 'elsewhere.json': { trusted: [{ project: '/a', name: 's', hash: ONE }] } });
		symlinkSync('elsewhere.json', join(temp.path, 'mcp-trust.json'));
		expect(createMcpTrust({ data: temp.path }).isTrusted('/a', 's', ONE)).toBe(false);
	});

	it('is limited, with a clear error', async () => {
		await using temp = await createTempDir();
		const trust = createMcpTrust({ data: temp.path });
		const long = `/${'x'.repeat(4000)}`;
		const results = Array.from({ length: 16 }, (_each, at) => trust.trust(long, `s${at}`, ONE));
		expect(results.findIndex(({ ok }) => !ok)).toBeGreaterThan(10);
		expect(trust.isTrusted(long, 's0', ONE)).toBe(true);
		expect(unwrapError(trust.trust(long, 'one-more', ONE)).code).toBe('too_large');
	});
});

describe('trust commands', () => {
	it('trust only a server that the project names now, exactly as it was shown', async () => {
		await using world = await createRig({ mcpServers: { s: { command: 'node', args: ['a.js'] } } });
		const shown = unwrap(await world.driven.list({ project: world.project }, callAs()));
		const hash = shown.servers[0]?.hash ?? '';
		expect(shown).toEqual({
			project: world.project,
			servers: [{ name: 's', hash, trusted: false, config: { command: 'node', args: ['a.js'] } }],
			broken: [],
		});
		await world.write({ mcpServers: { s: { command: 'rm', args: ['-rf', '/'] } } });
		expect(unwrapError(await world.driven.trust({ project: world.project, name: 's', hash }, callAs(LEA))).code).toBe('conflict');
		expect(unwrapError(await world.driven.trust({ project: world.project, name: 'other', hash }, callAs(LEA))).code).toBe(
			'not_found',
		);
		await world.write({ mcpServers: { s: { args: ['a.js'], command: 'node' } } });
		unwrap(await world.driven.trust({ project: world.project, name: 's', hash }, callAs(LEA)));
		expect(unwrap(await world.driven.list({ project: join(world.project, 'sub') }, callAs())).servers[0]?.trusted).toBe(true);
		await world.write({ mcpServers: { s: { command: 'node', args: ['a.js', '--evil'] } } });
		expect(unwrap(await world.driven.list({ project: world.project }, callAs())).servers[0]?.trusted).toBe(false);
	});

	it('revoke trust, even for a server that no longer exists', async () => {
		await using world = await createRig({ mcpServers: { s: { command: 'node' } } });
		const body = { project: world.project, name: 's' };
		const hash = unwrap(await world.driven.list({ project: world.project }, callAs())).servers[0]?.hash ?? '';
		unwrap(await world.driven.trust({ ...body, hash }, callAs(LEA)));
		await world.write({});
		expect(unwrap(await world.driven.untrust(body, callAs(LEA)))).toEqual({ ...body, trusted: false });
		expect(unwrapError(await world.driven.untrust(body, callAs(LEA))).code).toBe('not_found');
	});

	it('record who granted and who revoked trust', async () => {
		await using world = await createRig({ mcpServers: { s: { command: 'node' } } });
		const body = { project: world.project, name: 's' };
		const hash = unwrap(await world.driven.list({ project: world.project }, callAs())).servers[0]?.hash ?? '';
		unwrapError(await world.driven.trust({ ...body, hash: ONE }, callAs(LEA)));
		unwrapError(await world.driven.untrust(body, callAs(LEA)));
		expect(world.recorded()).toEqual([]);
		unwrap(await world.driven.trust({ ...body, hash }, callAs(LEA)));
		unwrap(await world.driven.untrust(body, callAs({ name: 'ada', face: 'web' })));
		expect(world.recorded()).toEqual([
			['mcp.trusted', { project: world.project, server: 's', hash, trusted_by: 'lea@cli' }, 'MCP server trusted by lea@cli: s'],
			[
				'mcp.untrusted',
				{ project: world.project, server: 's', untrusted_by: 'ada@web' },
				'MCP server no longer trusted, by ada@web: s',
			],
		]);
	});

	it('grant no trust that cannot be recorded, and record a revocation if it cannot be stored', async () => {
		await using world = await createRig({ mcpServers: { s: { command: 'node' } } });
		const hash = unwrap(await world.driven.list({ project: world.project }, callAs())).servers[0]?.hash ?? '';
		const body = { project: world.project, name: 's', hash };
		const full = err(new AppError('store_unavailable', 'The disk is full.'));
		const unrecorded = createMcpTrustCommands(world.trust, { record: async () => full });
		expect(await unrecorded.trust(body, callAs(LEA))).toEqual(full);
		expect(world.trust.isTrusted(world.project, 's', hash)).toBe(false);
		const unkept = createMcpTrustCommands({ ...world.trust, trust: () => full }, world.own);
		expect(await unkept.trust(body, callAs(LEA))).toEqual(full);
		expect(world.recorded().map(([kind]) => kind)).toEqual(['mcp.trusted', 'mcp.untrusted']);
		expect(world.recorded()[1]?.[1]).toMatchObject({ untrusted_by: 'system', reason: 'The disk is full.' });
	});

	it.each(['relative', '', '/no/such/folder', '/\0', '.'])('reject %j as a project', async (folder) => {
		await using world = await createRig({});
		const refused = unwrapError(await world.driven.list({ project: folder }, callAs()));
		expect(refused).toMatchObject({
			code: 'bad_request',
			message: 'project: expected the absolute path of a folder that exists.',
		});
	});

	it.each([['[]'], ['{"mcpServers": []}'], ['{'], ['"text"'], ['null']])('list no servers for %s in .mcp.json', async (text) => {
		await using world = await createRig(text);
		expect(unwrap(await world.driven.list({ project: world.project }, callAs())).servers).toEqual([]);
	});
});

async function createRig(mcp: unknown) {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const project = join(path, 'project');
	const write = (content: unknown) => putFiles(project, { '.mcp.json': content });
	await putFiles(path, { 'home/x': '', 'project/.git/HEAD': '', 'project/sub/x': '' });
	await write(mcp);
	const store = createMemoryStore();
	const place = { store, runnerId: runnerId.parse('r'), now: () => 1 };
	const own = unwrap(openRunnerStream(place));
	const trust = createMcpTrust({ data: join(path, 'home') });
	const driven = createMcpTrustCommands(trust, own);
	const recorded = () =>
		unwrap(store.read({ afterSeqNo: 0, limit: 10 })).map(({ line }) => {
			const { event } = storedLine.parse(JSON.parse(line));
			return [event.kind, event.data, eventTitle(event)] as const;
		});
	const owned = stack.move();
	return { project, driven, trust, own, recorded, write, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
