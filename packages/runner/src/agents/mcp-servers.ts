// MCP servers for the API, over the commands of the agent that has them.
import type { AgentCli } from '@roost/agents/base/agent-cli';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunAgent } from '@roost/home/programs/agent-runs';
import type { CliCommands } from './cli-commands.ts';

/** Every server is asked how it is, a few at a time. */
const HEALTH_MS = 30_000;
const CHANGE_MS = 15_000;
/** A person reads, logs in and comes back; shorter than the five minutes after which an HTTP client gives up. */
const LOGIN_MS = 240_000;

export function mcpHandlers(cli: AgentCli, commands: CliCommands, runInTerminal: RunAgent): Backend['mcp'] {
	return {
		list: (place) => commands.read(place, { ...cli.listServers(), limitMs: HEALTH_MS }),
		show: ({ project, name }) => commands.read({ project }, { ...cli.showServer(name), limitMs: HEALTH_MS }),
		add: (server) => commands.change(server, { ...cli.addServer(server), limitMs: CHANGE_MS }),
		remove: (server) => commands.change(server, { ...cli.removeServer(server), limitMs: CHANGE_MS }),
		logIn: ({ project, name }, { report }) =>
			commands.change(
				{ project },
				{ ...cli.logIn(name), limitMs: LOGIN_MS, onLine: report, unredacted: true, turn: 'login', run: runInTerminal },
			),
	};
}
