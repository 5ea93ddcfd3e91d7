// roost mcp: Claude's MCP servers, for the project of this folder. Values of variables and headers go in and are never shown.
import { sanitiseLine } from '@roost/core/display/sanitise';
import {
	addServerBody,
	authServerBody,
	type McpServerDetail,
	removeServerBody,
	type ServerStatus,
	serverName,
} from '@roost/protocol/api/mcp';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { badInput, say, sayDone, sayUnread } from '../output/cli-words.ts';
import { fail } from '../output/exit.ts';
import { parseObject } from '../output/parse-input.ts';
import { waitForCommand } from '../output/progress.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

type Options = { json?: boolean };

export async function listServers(options: Options): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const listed = await connected.value.api.mcp.list({ project: process.cwd() });
	if (!listed.ok) return fail(listed.error, options);
	if (options.json) return await say(JSON.stringify(listed.value));
	const { servers, unread } = listed.value;
	const rows = servers.map(({ name, transport, status, target }) => [name, transport, STATES[status], target]);
	if (rows.length === 0) await say('No MCP servers here. Add one: roost mcp add <name> -- <program>');
	else await say(toTable(['SERVER', 'TRANSPORT', 'STATE', 'COMMAND OR ADDRESS'], rows));
	const troubles = servers.filter(({ status }) => status !== 'connected').map(({ name, says }) => `${name}: ${says}`);
	if (troubles.length > 0) await say(`\n${troubles.map(sanitiseLine).join('\n')}`);
	await sayUnread(unread);
}

const STATES: Record<ServerStatus, string> = {
	connected: 'connected',
	failed: 'failed',
	needs_login: 'needs login',
	needs_approval: 'needs approval',
	unknown: 'unknown',
};

export async function getServer(name: string, options: Options): Promise<void> {
	const checked = serverName.safeParse(name);
	if (!checked.success) return fail(badInput(checked.error.issues), options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const found = await connected.value.api.mcp.show({ project: process.cwd(), name });
	if (!found.ok) return fail(found.error, options);
	if (options.json) return await say(JSON.stringify(found.value));
	await say(toTable(['SERVER', found.value.name], toRows(found.value)));
	await sayUnread(found.value.unread);
}

type AddOptions = Options & { transport: string; env: string[]; header: string[]; scope: string };

export async function addServer(name: string, target: string, args: string[], options: AddOptions): Promise<void> {
	const { transport, scope } = options;
	const spec = transport === 'stdio' ? toProgram(target, args, options) : toRemote(target, args, options);
	if (!spec.ok) return fail(spec.error, options);
	await add({ name, transport, scope, ...spec.value }, options);
}

export async function addServerJson(name: string, text: string, options: Options & { scope: string }): Promise<void> {
	const config = parseObject(text, 'Give the configuration of the server as a JSON object.');
	if (!config.ok) return fail(config.error, options);
	await add({ name, transport: 'json', scope: options.scope, config: config.value }, options);
}

export async function removeServer(name: string, { json, ...options }: Options & { scope?: string }): Promise<void> {
	const checked = removeServerBody.extend({ name: serverName }).safeParse({ ...here(), name, ...options });
	if (!checked.success) return fail(badInput(checked.error.issues), { json });
	const connected = await connectOrStartToDecide('mcp remove');
	if (!connected.ok) return fail(connected.error, { json });
	const { commandId, ...server } = checked.data;
	const removed = await connected.value.api.mcp.remove({ commandId, ...server });
	if (!removed.ok) return fail(removed.error, { json });
	await sayDone(removed.value, { json });
}

export async function logInToServer(name: string, options: Options): Promise<void> {
	const checked = authServerBody.extend({ name: serverName }).safeParse({ ...here(), name });
	if (!checked.success) return fail(badInput(checked.error.issues), options);
	const connected = await connectOrStartToDecide('mcp auth');
	if (!connected.ok) return fail(connected.error, options);
	const { mcp, commands } = connected.value.api;
	const { commandId, ...server } = checked.data;
	const done = await waitForCommand(commands, commandId, options, (id) => mcp.logIn({ commandId: id, ...server }));
	if (!done.ok) return fail(done.error, options);
	await sayDone(done.value, options);
}

async function add(server: object, options: Options): Promise<void> {
	const body = addServerBody.safeParse({ ...here(), ...server });
	if (!body.success) return fail(badInput(body.error.issues), options);
	const connected = await connectOrStartToDecide('mcp add');
	if (!connected.ok) return fail(connected.error, options);
	const { commandId, ...checked } = body.data;
	const added = await connected.value.api.mcp.add({ commandId, ...checked });
	if (!added.ok) return fail(added.error, options);
	await sayDone(added.value, options);
}

function here(): { commandId: string; project: string } {
	return { commandId: crypto.randomUUID(), project: process.cwd() };
}

function toProgram(command: string, args: string[], options: AddOptions): Result<object> {
	if (options.header.length > 0) return err(new AppError('usage', '--header is for http and sse: name a --transport.'));
	const env = toPairs(options.env, '=', '-e takes a variable as NAME=value.');
	return env.ok ? ok({ command, args, env: env.value }) : env;
}

function toRemote(url: string, args: string[], options: AddOptions): Result<object> {
	if (args.length > 0) return err(new AppError('usage', 'A server that runs elsewhere takes an address and no arguments.'));
	if (options.env.length > 0) return err(new AppError('usage', '-e is for stdio: a server that runs elsewhere has --header.'));
	const headers = toPairs(options.header, ':', '-H takes a header as "Name: value".');
	return headers.ok ? ok({ url, headers: headers.value }) : headers;
}

/** A pair that is none is not repeated: it may be a secret. */
function toPairs(texts: readonly string[], separator: string, otherwise: string): Result<Record<string, string>> {
	const pairs = texts.map((text) => {
		const at = text.indexOf(separator);
		return at < 1 ? undefined : ([text.slice(0, at).trim(), text.slice(at + 1)] as const);
	});
	if (pairs.includes(undefined)) return err(new AppError('usage', otherwise));
	const trimmed = (value: string) => (separator === ':' ? value.trim() : value);
	return ok(Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[0], trimmed(pair[1])]] : []))));
}

function toRows(server: McpServerDetail): string[][] {
	return [
		['scope', server.scope ?? ''],
		['transport', server.transport],
		['state', server.says],
		['target', server.target],
		['variables', server.env.join(', ')],
		['headers', server.headers.join(', ')],
	].filter(([, value]) => value !== '');
}
