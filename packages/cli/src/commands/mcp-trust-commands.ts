// The commands of `roost mcp` that are about trust, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

export function addMcpTrustCommands(mcp: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
	mcp
		.command('trust')
		.description("let an MCP server from this project's .mcp.json be started, after a look at what it runs")
		.argument('[name]', 'which; without it, all that the project names')
		.option('--yes', 'do not ask')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost mcp trust\n  $ roost mcp trust tickets')
		.action(async (name, options) => (await import('./mcp-trust.ts')).trustServer(name, options));
	mcp
		.command('untrust')
		.description('take that back')
		.argument('<name>', 'which')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp untrust tickets')
		.action(async (name, options) => (await import('./mcp-trust.ts')).untrustServer(name, options));
}
