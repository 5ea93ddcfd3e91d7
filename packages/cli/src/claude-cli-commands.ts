// What `roost plugins` and `roost mcp` take: a table of subcommands, whose code is loaded only when one runs.
import { type Command, Option } from 'commander';

const json = () => new Option('--json', 'print JSON, for programs');
const scope = (words: string) => new Option('--scope <scope>', words);
const gather = (value: string, all: string[]) => [...all, value];
const plugins = () => import('./commands/plugins.ts');
const mcp = () => import('./commands/mcp.ts');

export function addPluginCommands(program: Command): Command {
	const group = program.command('plugins').description("Claude's plugins: listed, installed, switched, updated, uninstalled");
	group
		.command('list', { isDefault: true })
		.description('installed plugins')
		.option('--available', 'also what the marketplaces offer')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins list --available')
		.action(async (options) => (await plugins()).listPlugins(options));
	addPluginChanges(group);
	addMarketplaceCommands(group.command('marketplaces').description('where plugins come from'));
	return group;
}

function addPluginChanges(group: Command): void {
	const change = (verb: string, description: string) =>
		group
			.command(verb)
			.description(description)
			.argument('<plugin>', 'its name, or name@marketplace')
			.addOption(scope('user, project or local'))
			.addOption(json())
			.addHelpText('after', `\nExample:\n  $ roost plugins ${verb} formatter@team-tools`);
	const accept = () => new Option('--accept-command <sha256>', 'accept the one command that the refusal showed you');
	change('install', 'install a plugin: its code runs with your rights, so know whose it is')
		.addOption(accept())
		.action(async (plugin, options) => (await plugins()).changePlugin('install', plugin, options));
	change('enable', 'switch a plugin on').action(async (plugin, options) =>
		(await plugins()).changePlugin('enable', plugin, options),
	);
	change('disable', 'switch a plugin off; it stays installed').action(async (plugin, options) =>
		(await plugins()).changePlugin('disable', plugin, options),
	);
	change('update', 'bring a plugin to its latest version')
		.addOption(accept())
		.action(async (plugin, options) => (await plugins()).changePlugin('update', plugin, options));
	change('uninstall', 'uninstall a plugin').action(async (plugin, options) =>
		(await plugins()).changePlugin('uninstall', plugin, options),
	);
}

function addMarketplaceCommands(group: Command): void {
	group
		.command('list', { isDefault: true })
		.description('all marketplaces')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces')
		.action(async (options) => (await plugins()).listMarketplaces(options));
	group
		.command('add')
		.description('add a marketplace')
		.argument('<source>', 'owner/repo, an https address, or the path of a folder')
		.addOption(scope('user, project or local'))
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces add ./team-tools')
		.action(async (source, options) => (await plugins()).addMarketplace(source, options));
	group
		.command('remove')
		.description('remove a marketplace')
		.argument('<name>', 'its name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces remove team-tools')
		.action(async (name, options) => (await plugins()).removeMarketplace(name, options));
	group
		.command('update')
		.description('fetch what marketplaces offer now')
		.argument('[name]', 'one of them; without it, all')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost plugins marketplaces update')
		.action(async (name, options) => (await plugins()).updateMarketplaces(name, options));
}

/** More subcommands can be hung under what it returns. */
export function addMcpCommands(program: Command): Command {
	const group = program
		.command('mcp')
		.description("Claude's MCP servers: listed with their health, added, removed, logged in to");
	group
		.command('list', { isDefault: true })
		.description('all servers of this project and of the user, each asked how it is')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp')
		.action(async (options) => (await mcp()).listServers(options));
	group
		.command('get')
		.description('one server; of its variables and headers only the names')
		.argument('<name>', 'its name')
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
		.description('add a server: it runs with your rights, so know whose it is')
		.argument('<name>', 'what to call it: letters, digits, dashes and underscores')
		.argument('<target>', 'the program, or the address of a server that runs elsewhere')
		.argument('[args...]', 'arguments of the program; put -- before them')
		.option('--transport <transport>', 'stdio, http or sse', 'stdio')
		.option('-e, --env <name=value>', 'a variable of the program; repeat it for more', gather, [])
		.option('-H, --header <name:value>', 'a header, with http and sse; repeat it for more', gather, [])
		.addOption(where())
		.addOption(json())
		.addHelpText(
			'after',
			'\nClaude takes the values of variables and headers as arguments,\nso that for a moment other users of this machine could see them.\n\nExamples:\n  $ roost mcp add database -e DB_URL=postgres://localhost/app -- npx -y db-server\n  $ roost mcp add tracker --transport http https://mcp.example.com/mcp',
		)
		.action(async (name, target, args, options) => (await mcp()).addServer(name, target, args, options));
	group
		.command('add-json')
		.description("add a server as Claude's own configuration has it")
		.argument('<name>', 'what to call it')
		.argument('<config>', 'a JSON object')
		.addOption(where())
		.addOption(json())
		.addHelpText('after', `\nExample:\n  $ roost mcp add-json database '{"command":"npx","args":["-y","db-server"]}'`)
		.action(async (name, config, options) => (await mcp()).addServerJson(name, config, options));
	group
		.command('remove')
		.description('remove a server')
		.argument('<name>', 'its name')
		.addOption(scope('only from there: local, project or user'))
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp remove database')
		.action(async (name, options) => (await mcp()).removeServer(name, options));
	group
		.command('auth')
		.description('log in to a server: prints the address to open, and waits until you have')
		.argument('<name>', 'its name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp auth tracker')
		.action(async (name, options) => (await mcp()).logInToServer(name, options));
}
