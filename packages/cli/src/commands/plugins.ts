// roost plugins: Claude's plugins and the marketplaces they come from, for the project of this folder.
import type { ApiClient } from '@roost/client/api-client';
import type { CommandOutput } from '@roost/protocol/api/agent-commands';
import {
	addMarketplaceBody,
	type Plugin,
	type PluginVerb,
	pluginBody,
	removeMarketplaceBody,
	updateMarketplaceBody,
} from '@roost/protocol/api/plugins';
import type { Result } from '@roost/protocol/result';
import { badInput, say, sayDone, sayUnread } from '../output/cli-words.ts';
import { fail } from '../output/exit.ts';
import { waitForCommand } from '../output/progress.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

type Options = { json?: boolean };

export async function listPlugins(options: Options & { available?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const available = options.available === true;
	const listed = await connected.value.api.plugins.list({ project: process.cwd(), available });
	if (!listed.ok) return fail(listed.error, options);
	if (options.json) return await say(JSON.stringify(listed.value));
	const { plugins, available: offered, unread } = listed.value;
	if (plugins.length === 0) await say('No plugins installed. See what there is: roost plugins list --available');
	else await say(toTable(['PLUGIN', 'VERSION', 'SCOPE', 'STATE'], plugins.map(toCells)));
	const rows = offered.map(({ id, description = '' }) => [id, description]);
	if (rows.length > 0) await say(`\n${toTable(['AVAILABLE', 'WHAT IT IS'], rows)}`);
	else if (available) await say('\nNothing more is offered. Add a marketplace: roost plugins marketplaces add owner/repo');
	await sayUnread(unread);
}

type ChangeOptions = Options & { scope?: string; acceptCommand?: string };

export async function changePlugin(verb: PluginVerb, plugin: string, { json, ...options }: ChangeOptions): Promise<void> {
	const body = pluginBody.safeParse({ ...here(), plugin, ...options });
	if (!body.success) return fail(badInput(body.error.issues), { json });
	const connected = await connectOrStartToDecide(`plugins ${verb}`);
	if (!connected.ok) return fail(connected.error, { json });
	const { plugins, commands } = connected.value.api;
	const done = await waitForCommand(commands, body.data.commandId, { json }, () => plugins[verb](body.data));
	if (!done.ok) return fail(done.error, { json });
	await sayDone(done.value, { json });
}

export async function listMarketplaces(options: Options): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const listed = await connected.value.api.marketplaces.list({ project: process.cwd() });
	if (!listed.ok) return fail(listed.error, options);
	if (options.json) return await say(JSON.stringify(listed.value));
	const rows = listed.value.marketplaces.map(({ name, source, place = '' }) => [name, source, place]);
	if (rows.length === 0) await say('No marketplaces. Add one: roost plugins marketplaces add owner/repo');
	else await say(toTable(['MARKETPLACE', 'KIND', 'FROM'], rows));
	await sayUnread(listed.value.unread);
}

export async function addMarketplace(source: string, { json, ...options }: Options & { scope?: string }): Promise<void> {
	const body = addMarketplaceBody.safeParse({ ...here(), source, ...options });
	if (!body.success) return fail(badInput(body.error.issues), { json });
	await changeMarketplace(
		{ name: 'plugins marketplaces add', id: body.data.commandId, run: (api) => api.add(body.data) },
		{ json },
	);
}

export async function removeMarketplace(name: string, options: Options): Promise<void> {
	const body = removeMarketplaceBody.safeParse({ ...here(), name });
	if (!body.success) return fail(badInput(body.error.issues), options);
	await changeMarketplace(
		{ name: 'plugins marketplaces remove', id: body.data.commandId, run: (api) => api.remove(body.data) },
		options,
	);
}

export async function updateMarketplaces(name: string | undefined, options: Options): Promise<void> {
	const body = updateMarketplaceBody.safeParse({ ...here(), name });
	if (!body.success) return fail(badInput(body.error.issues), options);
	await changeMarketplace(
		{ name: 'plugins marketplaces update', id: body.data.commandId, run: (api) => api.update(body.data) },
		options,
	);
}

async function changeMarketplace(
	command: { name: string; id: string; run: (api: ApiClient['marketplaces']) => Promise<Result<CommandOutput>> },
	options: Options,
): Promise<void> {
	const connected = await connectOrStartToDecide(command.name);
	if (!connected.ok) return fail(connected.error, options);
	const { marketplaces, commands } = connected.value.api;
	const done = await waitForCommand(commands, command.id, options, () => command.run(marketplaces));
	if (!done.ok) return fail(done.error, options);
	await sayDone(done.value, options);
}

function here(): { commandId: string; project: string } {
	return { commandId: crypto.randomUUID(), project: process.cwd() };
}

function toCells({ id, version = '', scope = '', enabled }: Plugin): string[] {
	return [id, version, scope, enabled ? 'enabled' : 'disabled'];
}
