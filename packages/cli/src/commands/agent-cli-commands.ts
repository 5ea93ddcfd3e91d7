// What `roost plugins` and `roost mcp` take: a table of subcommands, whose code is loaded only when one runs.
import { type Command, Option } from 'commander';

const json = () => new Option('--json', 'print JSON, for programs');
const scope = (words: string) => new Option('--scope <scope>', words);
const gather = (value: string, all: string[]) => [...all, value];
const plugins = () => import('./plugins.ts');
const mcp = () => import('./mcp.ts');

export function addPluginCommands(program: Command): Command {
	const group = program
		.command('plugins')
		.description("Manage Claude's plugins")
		.addHelpText('after', '\nExamples:\n  $ roost plugins\n  $ roost plugins install formatter@team-tools');
	group
		.command('list', { isDefault: true })
		.description('List installed plugins')
		.option('--available', 'also list plugins offered by marketplaces')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins list --available')
		.action(async (options) => (await plugins()).listPlugins(options));
	addPluginChanges(group);
	addMarketplaceCommands(
		group
			.command('marketplaces')
			.description('Manage plugin marketplaces')
			.addHelpText('after', '\nExamples:\n  $ roost plugins marketplaces\n  $ roost plugins marketplaces add ./team-tools'),
	);
	return group;
}

function addPluginChanges(group: Command): void {
	const change = (verb: string, description: string) =>
		group
			.command(verb)
			.description(description)
			.argument('<plugin>', 'plugin name or name@marketplace')
			.addOption(scope('user, project or local'))
			.addOption(json())
			.addHelpText('after', `\nExample:\n  $ roost plugins ${verb} formatter@team-tools`);
	const accept = () => new Option('--accept-command <sha256>', 'accept the one command that the refusal showed you');
	change('install', 'Install a plugin; its code runs with your rights')
		.addOption(accept())
		.action(async (plugin, options) => (await plugins()).changePlugin('install', plugin, options));
	change('enable', 'Enable a plugin').action(async (plugin, options) =>
		(await plugins()).changePlugin('enable', plugin, options),
	);
	change('disable', 'Disable a plugin without uninstalling it').action(async (plugin, options) =>
		(await plugins()).changePlugin('disable', plugin, options),
	);
	change('update', 'Update a plugin')
		.addOption(accept())
		.action(async (plugin, options) => (await plugins()).changePlugin('update', plugin, options));
	change('uninstall', 'Uninstall a plugin').action(async (plugin, options) =>
		(await plugins()).changePlugin('uninstall', plugin, options),
	);
}

function addMarketplaceCommands(group: Command): void {
	group
		.command('list', { isDefault: true })
		.description('List marketplaces')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces')
		.action(async (options) => (await plugins()).listMarketplaces(options));
	group
		.command('add')
		.description('Add a marketplace')
		.argument('<source>', 'owner/repo, an https URL or a local folder')
		.addOption(scope('user, project or local'))
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces add ./team-tools')
		.action(async (source, options) => (await plugins()).addMarketplace(source, options));
	group
		.command('remove')
		.description('Remove a marketplace')
		.argument('<name>', 'name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces remove team-tools')
		.action(async (name, options) => (await plugins()).removeMarketplace(name, options));
	group
		.command('update')
		.description('Update marketplaces')
		.argument('[name]', 'marketplace to update (default: all)')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces update')
		.action(async (name, options) => (await plugins()).updateMarketplaces(name, options));
}

/** More subcommands can be hung under what it returns. */
export function addMcpCommands(program: Command): Command {
	const group = program
		.command('mcp')
		.description("Manage Claude's MCP servers")
		.addHelpText('after', '\nExamples:\n  $ roost mcp\n  $ roost mcp get database\n  $ roost mcp trust');
	group
		.command('list', { isDefault: true })
		.description('List servers and check their health')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp')
		.action(async (options) => (await mcp()).listServers(options));
	group
		.command('get')
		.description('Show a server without the values of its secrets')
		.argument('<name>', 'name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp get database')
		.action(async (name, options) => (await mcp()).getServer(name, options));
	addMcpChanges(group);
	return group;
}

function addMcpChanges(group: Command): void {
	const where = () => scope('local (this project, you alone), project (shared by .mcp.json) or user').default('local');
	group
		.command('add')
		.description('Add a server; it runs with your rights')
		.argument('<name>', 'server name: letters, digits, dashes and underscores')
		.argument('<target>', 'program to run, or URL of a remote server')
		.argument('[args...]', 'arguments of the program, after --')
		.option('--transport <transport>', 'stdio, http or sse', 'stdio')
		.option('-e, --env <name=value>', 'environment variable; can be repeated', gather, [])
		.option('-H, --header <name:value>', 'header for http and sse; can be repeated', gather, [])
		.addOption(where())
		.addOption(json())
		.addHelpText(
			'after',
			'\nClaude takes the values of variables and headers as arguments,\nso that for a moment other users of this machine could see them.\n\nExamples:\n  $ roost mcp add database -e DB_URL=postgres://localhost/app -- npx -y db-server\n  $ roost mcp add tracker --transport http https://mcp.example.com/mcp',
		)
		.action(async (name, target, args, options) => (await mcp()).addServer(name, target, args, options));
	group
		.command('add-json')
		.description("Add a server in Claude's own JSON format")
		.argument('<name>', 'server name')
		.argument('<config>', 'JSON object')
		.addOption(where())
		.addOption(json())
		.addHelpText('after', `\nExample:\n  $ roost mcp add-json database '{"command":"npx","args":["-y","db-server"]}'`)
		.action(async (name, config, options) => (await mcp()).addServerJson(name, config, options));
	group
		.command('remove')
		.description('Remove a server')
		.argument('<name>', 'name')
		.addOption(scope('remove it only from local, project or user scope'))
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp remove database')
		.action(async (name, options) => (await mcp()).removeServer(name, options));
	group
		.command('auth')
		.description('Log in to a server with your browser')
		.argument('<name>', 'name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp auth tracker')
		.action(async (name, options) => (await mcp()).logInToServer(name, options));
}
