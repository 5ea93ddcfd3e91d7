// Plugins of Claude and the marketplaces they come from. Every change is made once for each id; long ones can be watched.
import { commandOutput, projectFolder } from '@roost/protocol/api/claude-commands';
import {
	addMarketplaceBody,
	marketplaceList,
	PLUGIN_VERBS,
	type PluginVerb,
	pluginBody,
	pluginList,
	removeMarketplaceBody,
	updateMarketplaceBody,
} from '@roost/protocol/api/plugins';
import { z } from 'zod';
import type { PluginDesk } from '../backend.ts';
import type { CommandBoard } from '../command-board.ts';
import type { Once } from '../once.ts';
import { type Reply, toReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export type PluginRouteDeps = { plugins: PluginDesk; once: Once<Reply>; board: CommandBoard };

export function pluginRoutes(deps: PluginRouteDeps): Route[] {
	return [...listRoutes(deps), ...PLUGIN_VERBS.map((verb) => changeRoute(deps, verb)), ...marketplaceRoutes(deps)];
}

const path = '/api/v1/plugins';
const shape = { access: 'any', status: 200, params: nothing } as const;
const change = { ...shape, method: 'POST', query: nothing, reply: commandOutput } as const;

function listRoutes({ plugins }: PluginRouteDeps): Route[] {
	const list = defineRoute(
		{
			...shape,
			method: 'GET',
			path,
			summary: 'Installed plugins; with available=true also those that the marketplaces offer',
			query: z.strictObject({ project: projectFolder, available: z.enum(['true', 'false']).optional() }),
			body: noBody,
			reply: pluginList,
		},
		async ({ query: { project, available } }) => toReply(await plugins.list({ project, available: available === 'true' })),
	);
	const marketplaces = defineRoute(
		{
			...shape,
			method: 'GET',
			path: `${path}/marketplaces`,
			summary: 'Where plugins come from',
			query: z.strictObject({ project: projectFolder }),
			body: noBody,
			reply: marketplaceList,
		},
		async ({ query }) => toReply(await plugins.marketplaces(query)),
	);
	return [list, marketplaces];
}

const SUMMARIES: Record<PluginVerb, string> = {
	install: 'Install a plugin; its code runs with the rights of the user',
	enable: 'Enable a plugin',
	disable: 'Disable a plugin; it stays installed',
	update: 'Update a plugin',
	uninstall: 'Uninstall a plugin',
};

function changeRoute({ plugins, once, board }: PluginRouteDeps, verb: PluginVerb): Route {
	return defineRoute(
		{ ...change, path: `${path}/${verb}`, summary: SUMMARIES[verb], body: pluginBody },
		({ body: { commandId: id, ...body } }) =>
			once.run(id, ['plugin', verb, body], async () =>
				toReply(await board.run(id, (tell) => plugins.change({ ...body, verb }, tell))),
			),
	);
}

function marketplaceRoutes({ plugins, once, board }: PluginRouteDeps): Route[] {
	const run = (id: string, body: Parameters<PluginDesk['changeMarketplace']>[0]) =>
		once.run(id, ['marketplace', body], async () =>
			toReply(await board.run(id, (tell) => plugins.changeMarketplace(body, tell))),
		);
	const add = defineRoute(
		{ ...change, path: `${path}/marketplaces/add`, summary: 'Add a marketplace', body: addMarketplaceBody },
		({ body: { commandId: id, ...body } }) => run(id, { verb: 'add', ...body }),
	);
	const remove = defineRoute(
		{ ...change, path: `${path}/marketplaces/remove`, summary: 'Remove a marketplace', body: removeMarketplaceBody },
		({ body: { commandId: id, ...body } }) => run(id, { verb: 'remove', ...body }),
	);
	const update = defineRoute(
		{
			...change,
			path: `${path}/marketplaces/update`,
			summary: 'Fetch what a marketplace offers now; without a name, all of them',
			body: updateMarketplaceBody,
		},
		({ body: { commandId: id, ...body } }) => run(id, { verb: 'update', ...body }),
	);
	return [add, remove, update];
}
