// Hostile strings in every field of every command: what the schemas accept reaches claude as the exact argument, and nothing else runs.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addServerBody, authServerBody, removeServerBody, serverName } from '@roost/protocol/api/mcp';
import { addMarketplaceBody, pluginBody, removeMarketplaceBody, updateMarketplaceBody } from '@roost/protocol/api/plugins';
import type { Awaitable } from '@roost/protocol/contract/operation';
import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { openAgentCli } from './open-agent-cli.ts';

const EVERY = process.env.ROOST_SOAK ? 1 : 4;
const stdio = { transport: 'stdio', name: 'server', command: 'run' };
const http = { transport: 'http', name: 'server', url: 'http://h/' };

describe('hostile strings for claude', () => {
	it('are passed only as arguments', { timeout: 120_000 }, async () => {
		await using world = await createWorld();
		let accepted = 0;
		for (const [index, { name, send, isOperand }] of world.fields().entries()) {
			for (const { name: string, text } of world.strings.filter((_, at) => at % EVERY === index % EVERY)) {
				const sent = await send(text);
				if (sent === undefined) continue;
				accepted += 1;
				expect.soft(sent.ok, `${name}, ${string}`).toBe(true);
				const argv = await world.lastArgv();
				// The last match, because many arguments contain a dash or an empty text.
				const at = argv.findLastIndex((arg) => arg.includes(text));
				expect.soft(at, `${name}, ${string}`).toBeGreaterThan(0);
				if (isOperand) expect.soft(argv.indexOf('--'), `${name}, ${string}`).toBeLessThan(at);
			}
		}
		expect(accepted).toBeGreaterThan(20);
		expect(existsSync(world.canary)).toBe(false);
	});

	it('are rejected as names, commands, variables, headers and sources if they start with a dash', () => {
		for (const { text } of hostileStrings('/canary').filter((one) => one.text.startsWith('-'))) {
			const common = { commandId: 'x', project: '/p' };
			expect.soft(pluginBody.safeParse({ ...common, plugin: text }).success, text).toBe(false);
			expect.soft(addServerBody.safeParse({ ...common, ...stdio, name: text }).success, text).toBe(false);
			expect.soft(addServerBody.safeParse({ ...common, ...stdio, command: text }).success, text).toBe(false);
			expect.soft(addServerBody.safeParse({ ...common, ...stdio, env: { [text]: 'x' } }).success, text).toBe(false);
			expect.soft(addServerBody.safeParse({ ...common, ...http, headers: { [text]: 'x' } }).success, text).toBe(false);
			expect.soft(addMarketplaceBody.safeParse({ ...common, source: text }).success, text).toBe(false);
			expect.soft(serverName.safeParse(text).success, text).toBe(false);
		}
	});

	it('are rejected as the folder of a project', async () => {
		await using world = await createWorld();
		for (const { name, text } of world.strings.filter(({ text }) => text !== '/')) {
			const listed = await world.mcp.list({ project: text }, callAs());
			expect.soft(listed, name).toMatchObject({ ok: false, error: { code: 'bad_request' } });
		}
		expect(existsSync(world.argvFile)).toBe(false);
	});
});

async function createWorld() {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const argvFile = join(folder, 'argv');
	const program = join(folder, 'claude');
	// Each argument ends with a NUL, which no argument can contain.
	await writeFile(program, `#!/bin/sh\nprintf '%s\\0' "$@" > "${argvFile}"\n`, { mode: 0o755 });
	const cli = stack.use(openAgentCli({ env: { PATH: process.env.PATH }, agents: { claude: { command: [program], env: {} } } }));
	const { plugins, marketplaces, mcp } = cli.handlers;
	const common = { commandId: 'x', project: folder };
	const owned = stack.move();

	async function add(server: object) {
		const body = addServerBody.safeParse({ ...common, ...server });
		return body.success ? await mcp.add(body.data, callAs()) : undefined;
	}
	async function changePlugin(change: object) {
		const body = pluginBody.safeParse({ ...common, plugin: 'p', ...change });
		return body.success ? await plugins.install(body.data, callAs()) : undefined;
	}
	return {
		mcp,
		argvFile,
		canary: join(folder, 'canary'),
		strings: hostileStrings(join(folder, 'canary')),
		lastArgv: async () => (await readFile(argvFile, 'utf8')).split('\0').slice(0, -1),
		fields: () => [
			operand('plugin', (plugin) => changePlugin({ plugin })),
			option('scope', (scope) => changePlugin({ scope })),
			option('accepted command', (acceptCommand) => changePlugin({ acceptCommand })),
			operand('marketplace source', async (source) => {
				const body = addMarketplaceBody.safeParse({ ...common, source });
				return body.success ? await marketplaces.add(body.data, callAs()) : undefined;
			}),
			operand('marketplace', async (name) => {
				const body = removeMarketplaceBody.safeParse({ ...common, name });
				return body.success ? await marketplaces.remove(body.data, callAs()) : undefined;
			}),
			operand('marketplace to update', async (name) => {
				const body = updateMarketplaceBody.safeParse({ ...common, name });
				return body.success ? await marketplaces.update(body.data, callAs()) : undefined;
			}),
			operand('server', (name) => add({ ...stdio, name })),
			operand('program', (command) => add({ ...stdio, command })),
			operand('argument', (text) => (text === '' ? undefined : add({ ...stdio, args: [text] }))),
			option('variable', (text) => (IS_DROPPED.test(text) ? undefined : add({ ...stdio, env: { [text]: 'x' } }))),
			option('value of a variable', (A) => add({ ...stdio, env: { A } })),
			operand('address', (url) => add({ ...http, url })),
			option('header', (text) => (IS_DROPPED.test(text) ? undefined : add({ ...http, headers: { [text]: 'x' } }))),
			option('value of a header', (A) => add({ ...http, headers: { A } })),
			operand('server to get', (name) =>
				serverName.safeParse(name).success ? mcp.show({ project: folder, name }, callAs()) : undefined,
			),
			operand('server to remove', async (name) => {
				const body = removeServerBody.extend({ name: serverName }).safeParse({ ...common, name });
				return body.success ? await mcp.remove(body.data, callAs()) : undefined;
			}),
			operand('server to log in to', async (name) => {
				const body = authServerBody.extend({ name: serverName }).safeParse({ ...common, name });
				return body.success ? await mcp.logIn(body.data, callAs()) : undefined;
			}),
		],
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Never used as a key of an untrusted map: the schema drops it. */
const IS_DROPPED = /^__proto__$/;

type Sent = { ok: boolean } | undefined;
type Send = (text: string) => Awaitable<Sent>;

function operand(name: string, send: Send) {
	return { name, send, isOperand: true };
}

function option(name: string, send: Send) {
	return { name, send, isOperand: false };
}
