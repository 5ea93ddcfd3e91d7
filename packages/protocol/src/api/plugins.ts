// Plugins of an agent and the marketplaces they come from, over the wire.
import { z } from 'zod';
import { configScope, isOperand, projectFolder } from './agent-commands.ts';
import { commandId } from './driving.ts';

export const pluginName = z
	.string()
	.max(256)
	.regex(
		/^[A-Za-z0-9][\w.-]*(@[A-Za-z0-9][\w.-]*)?$/,
		'expected the name of a plugin, such as formatter or formatter@marketplace',
	);

export const marketplaceName = z
	.string()
	.max(128)
	.regex(/^[A-Za-z0-9][\w.-]*$/, 'expected the name of a marketplace: letters, digits, dots, dashes and underscores');

const marketplaceSource = z
	.string()
	.max(2_000)
	.refine(isOperand, 'expected owner/repo, an https address or the path of a folder');

export const PLUGIN_VERBS = ['install', 'enable', 'disable', 'update', 'uninstall'] as const;
export type PluginVerb = (typeof PLUGIN_VERBS)[number];

/** `POST /plugins/install`, `/enable`, `/disable`, `/update`, `/uninstall` */
export const pluginBody = z.strictObject({
	commandId,
	project: projectFolder,
	plugin: pluginName,
	scope: configScope.optional(),
	/** For install and update: the hash of the marketplace's command that the user has read and accepts. */
	acceptCommand: z
		.string()
		.regex(/^[0-9a-f]{64}$/, 'expected the sha256 that the refusal named')
		.optional(),
});
export type PluginChange = Omit<z.infer<typeof pluginBody>, 'commandId'> & { verb: PluginVerb };

/** `POST /plugins/marketplaces/add` */
export const addMarketplaceBody = z.strictObject({
	commandId,
	project: projectFolder,
	source: marketplaceSource,
	scope: configScope.optional(),
});

/** `POST /plugins/marketplaces/remove` */
export const removeMarketplaceBody = z.strictObject({ commandId, project: projectFolder, name: marketplaceName });

/** `POST /plugins/marketplaces/update`; without a name, all of them. */
export const updateMarketplaceBody = removeMarketplaceBody.partial({ name: true });

type Bare<Body extends z.ZodType> = Omit<z.infer<Body>, 'commandId'>;
export type MarketplaceChange =
	| ({ verb: 'add' } & Bare<typeof addMarketplaceBody>)
	| ({ verb: 'remove' } & Bare<typeof removeMarketplaceBody>)
	| ({ verb: 'update' } & Bare<typeof updateMarketplaceBody>);

export const plugin = z.object({
	/** `name@marketplace` */
	id: z.string(),
	version: z.string().optional(),
	scope: z.string().optional(),
	enabled: z.boolean(),
	/** Further fields that the agent reports. */
	more: z.record(z.string(), z.unknown()),
});
export type Plugin = z.infer<typeof plugin>;

export const availablePlugin = z.object({ id: z.string(), description: z.string().optional() });
export type AvailablePlugin = z.infer<typeof availablePlugin>;

/** `GET /plugins` */
export const pluginList = z.object({
	plugins: z.array(plugin),
	/** In the marketplaces and not installed; only on request. */
	available: z.array(availablePlugin),
	/** Output of the agent that Roost does not understand. */
	unread: z.string(),
});
export type PluginList = z.infer<typeof pluginList>;

export const marketplace = z.object({ name: z.string(), source: z.string(), place: z.string().optional() });
export type Marketplace = z.infer<typeof marketplace>;

/** `GET /plugins/marketplaces` */
export const marketplaceList = z.object({ marketplaces: z.array(marketplace), unread: z.string() });
export type MarketplaceList = z.infer<typeof marketplaceList>;
