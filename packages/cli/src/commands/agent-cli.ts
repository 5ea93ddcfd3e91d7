// roost plugins, roost mcp: Claude's plugins, marketplaces and MCP servers, for the project of this folder.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import type { CommandOutput } from '@roost/protocol/api/agent-commands';
import { addServerBody, authServerBody, removeServerBody, type ServerStatus, serverName } from '@roost/protocol/api/mcp';
import {
	addMarketplaceBody,
	type PluginVerb,
	pluginBody,
	removeMarketplaceBody,
	updateMarketplaceBody,
} from '@roost/protocol/api/plugins';
import { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import type { z } from 'zod';
import { unwrap } from '../output/exit.ts';
import { parseObject } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { waitForCommand } from '../output/progress.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

type Options = { json?: boolean };

export async function listPlugins(options: Options & { available?: boolean }): Promise<void> {
	const { api } = unwrap(await connectOrStart());
	const available = options.available === true;
	const listed = unwrap(await api.plugins.list({ project: process.cwd(), available }));
	const installed = listed.plugins.map(({ id, version = '', scope = '', enabled }) => [
		id,
		version,
		scope,
		enabled ? 'enabled' : 'disabled',
	]);
	const offered = listed.available.map(({ id, description = '' }) => [id, description]);
	const none = 'No plugins installed. Run "roost plugins list --available" to list available plugins.';
	const noOffers = 'No more plugins available. Add a marketplace: roost plugins marketplaces add owner/repo';
	await print(options, listed, [
		installed.length === 0 ? none : toTable(['PLUGIN', 'VERSION', 'SCOPE', 'STATE'], installed),
		...(offered.length > 0 ? ['', toTable(['AVAILABLE', 'DESCRIPTION'], offered)] : available ? ['', noOffers] : []),
		...toUnread(listed),
	]);
}

export async function changePlugin(
	verb: PluginVerb,
	plugin: string,
	{ json, ...options }: Options & { scope?: string; acceptCommand?: string },
): Promise<void> {
	await change({
		name: `plugins ${verb}`,
		schema: pluginBody,
		input: { plugin, ...options },
		options: { json },
		call: ({ plugins }, body) => plugins[verb](body),
	});
}

export async function listMarketplaces(options: Options): Promise<void> {
	const { api } = unwrap(await connectOrStart());
	const listed = unwrap(await api.marketplaces.list({ project: process.cwd() }));
	const rows = listed.marketplaces.map(({ name, source, place = '' }) => [name, source, place]);
	const none = 'No marketplaces. Add one: roost plugins marketplaces add owner/repo';
	await print(options, listed, [rows.length === 0 ? none : toTable(['MARKETPLACE', 'KIND', 'FROM'], rows), ...toUnread(listed)]);
}

export async function addMarketplace(source: string, { json, ...options }: Options & { scope?: string }): Promise<void> {
	await change({
		name: 'plugins marketplaces add',
		schema: addMarketplaceBody,
		input: { source, ...options },
		options: { json },
		call: ({ marketplaces }, body) => marketplaces.add(body),
	});
}

export async function removeMarketplace(name: string, options: Options): Promise<void> {
	await change({
		name: 'plugins marketplaces remove',
		schema: removeMarketplaceBody,
		input: { name },
		options,
		call: ({ marketplaces }, body) => marketplaces.remove(body),
	});
}

export async function updateMarketplaces(name: string | undefined, options: Options): Promise<void> {
	await change({
		name: 'plugins marketplaces update',
		schema: updateMarketplaceBody,
		input: { name },
		options,
		call: ({ marketplaces }, body) => marketplaces.update(body),
	});
}

export async function listServers(options: Options): Promise<void> {
	const { api } = unwrap(await connectOrStart());
	const listed = unwrap(await api.mcp.list({ project: process.cwd() }));
	const rows = listed.servers.map(({ name, transport, status, target }) => [name, transport, STATES[status], target]);
	const problems = listed.servers.filter(({ status }) => status !== 'connected').map(({ name, says }) => `${name}: ${says}`);
	await print(options, listed, [
		rows.length === 0
			? 'No MCP servers here. Add one: roost mcp add <name> -- <program>'
			: toTable(['SERVER', 'TRANSPORT', 'STATE', 'COMMAND OR URL'], rows),
		...(problems.length > 0 ? ['', ...problems.map(sanitiseLine)] : []),
		...toUnread(listed),
	]);
}

const STATES: Record<ServerStatus, string> = {
	connected: 'connected',
	failed: 'failed',
	needs_login: 'needs login',
	needs_approval: 'needs approval',
	unknown: 'unknown',
};

export async function getServer(name: string, options: Options): Promise<void> {
	parse(serverName, name);
	const { api } = unwrap(await connectOrStart());
	const found = unwrap(await api.mcp.show({ project: process.cwd(), name }));
	const rows = [
		['scope', found.scope ?? ''],
		['transport', found.transport],
		['state', found.says],
		['target', found.target],
		['variables', found.env.join(', ')],
		['headers', found.headers.join(', ')],
	].filter(([, value]) => value !== '');
	await print(options, found, [toTable(['SERVER', found.name], rows), ...toUnread(found)]);
}

type AddOptions = Options & { transport: string; env?: string[]; header?: string[]; scope: string };

export async function addServer(name: string, target: string, args: string[], options: AddOptions): Promise<void> {
	const { transport, scope } = options;
	const spec = transport === 'stdio' ? toProgram(target, args, options) : toRemote(target, args, options);
	await add({ name, transport, scope, ...spec }, options);
}

export async function addServerJson(name: string, text: string, options: Options & { scope: string }): Promise<void> {
	const config = unwrap(parseObject(text, 'The configuration of a server must be a JSON object.'));
	await add({ name, transport: 'json', scope: options.scope, config }, options);
}

async function add(server: object, options: Options): Promise<void> {
	const call: Change<typeof addServerBody>['call'] = ({ mcp }, body) => mcp.add(body);
	await change({ name: 'mcp add', schema: addServerBody, input: server, options, isShort: true, call });
}

export async function removeServer(name: string, { json, ...options }: Options & { scope?: string }): Promise<void> {
	await change({
		name: 'mcp remove',
		schema: removeServerBody.extend({ name: serverName }),
		input: { name, ...options },
		options: { json },
		isShort: true,
		call: ({ mcp }, body) => mcp.remove(body),
	});
}

export async function logInToServer(name: string, options: Options): Promise<void> {
	await change({
		name: 'mcp auth',
		schema: authServerBody.extend({ name: serverName }),
		input: { name },
		options,
		call: ({ mcp }, body) => mcp.logIn(body),
	});
}

type Change<Schema extends z.ZodType<{ commandId: string }>> = {
	name: string;
	schema: Schema;
	input: object;
	options: { json?: boolean | undefined };
	/** Done in a moment, so no progress is shown. */
	isShort?: true;
	call: (api: ApiClient, body: z.infer<Schema>) => Promise<Result<CommandOutput>>;
};

async function change<Schema extends z.ZodType<{ commandId: string }>>(wanted: Change<Schema>): Promise<void> {
	const { name, schema, input, options, isShort, call } = wanted;
	const body = parse(schema, { commandId: crypto.randomUUID(), project: process.cwd(), ...input });
	const { api } = unwrap(await connectOrStartToDecide(name));
	const run = () => call(api, body);
	const done = unwrap(await (isShort ? run() : waitForCommand(api.commands, body.commandId, options, run)));
	await print(options, done, [sanitiseBlock(done.output)]);
}

/** The error does not repeat the input: it may be a secret. */
function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
	const parsed = schema.safeParse(input);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const field = issue?.path[0];
	throw new AppError('usage', `${field === undefined ? '' : `${String(field)}: `}${issue?.message ?? 'invalid input'}.`);
}

function toUnread({ unread }: { unread: string }): string[] {
	return unread === '' ? [] : [`\nClaude also printed:\n${sanitiseBlock(unread)}`];
}

function toProgram(command: string, args: string[], { env = [], header = [] }: AddOptions): object {
	if (header.length > 0) throw new AppError('usage', '--header is only for http and sse. Add --transport http or sse.');
	return { command, args, env: toPairs(env, '=', '-e takes a variable as NAME=value.') };
}

function toRemote(url: string, args: string[], { env = [], header = [] }: AddOptions): object {
	if (args.length > 0) throw new AppError('usage', 'A remote server takes a URL and no arguments.');
	if (env.length > 0) throw new AppError('usage', '-e is only for stdio. Use --header for a remote server.');
	return { url, headers: toPairs(header, ':', '-H takes a header as "Name: value".') };
}

/** The error does not repeat the pair: it may be a secret. */
function toPairs(texts: readonly string[], separator: string, otherwise: string): Record<string, string> {
	const pairs = texts.map((text) => {
		const at = text.indexOf(separator);
		if (at < 1) throw new AppError('usage', otherwise);
		const value = text.slice(at + 1);
		return [text.slice(0, at).trim(), separator === ':' ? value.trim() : value];
	});
	return Object.fromEntries(pairs);
}
