// The commands of `roost mcp` that are about trust, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

export function addMcpTrustCommands(mcp: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
	mcp
		.command('trust')
		.description("Trust an MCP server of this project's .mcp.json")
		.argument('[name]', 'server name; lists all servers when omitted')
		.option('--yes', 'trust without asking; without a name, trust all servers')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost mcp trust\n  $ roost mcp trust tickets\n  $ roost mcp trust --yes')
		.action(async (name, options) => (await import('./mcp-trust.ts')).trustServer(name, options));
	mcp
		.command('untrust')
		.description('Stop trusting an MCP server')
		.argument('<name>', 'server name')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost mcp untrust tickets')
		.action(async (name, options) => (await import('./mcp-trust.ts')).untrustServer(name, options));
}
