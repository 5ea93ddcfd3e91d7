// MCP servers for the API: what `claude mcp` can do.
import {
	addServerArgv,
	getServerArgv,
	HEALTH_ENVIRONMENT,
	listServersArgv,
	loginArgv,
	removeServerArgv,
	secretsOf,
} from '@roost/agents/claude/cli/mcp-argv';
import { parseServerDetail } from '@roost/agents/claude/cli/mcp-get';
import { parseServerList } from '@roost/agents/claude/cli/mcp-list';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunClaude } from '@roost/home/programs/run-claude';
import type { ClaudeCommands } from './claude-commands.ts';

/** Every server is asked how it is, a few at a time. */
const HEALTH = { limitMs: 30_000, env: HEALTH_ENVIRONMENT };
const CHANGE_MS = 15_000;
/** A person reads, logs in and comes back; shorter than the five minutes after which an HTTP client gives up. */
const LOGIN_MS = 240_000;

export function mcpHandlers(claude: ClaudeCommands, runInTerminal: RunClaude): Backend['mcp'] {
	return {
		list: (place) => claude.read(place, { ...HEALTH, args: listServersArgv(), parse: parseServerList }),
		show: ({ project, name }) =>
			claude.read({ project }, { ...HEALTH, args: getServerArgv(name), parse: (stdout) => parseServerDetail(name, stdout) }),
		add: (server) => claude.change(server, { args: addServerArgv(server), limitMs: CHANGE_MS, secrets: secretsOf(server) }),
		remove: (server) => claude.change(server, { args: removeServerArgv(server), limitMs: CHANGE_MS }),
		logIn: ({ project, name }, { report }) =>
			claude.change(
				{ project },
				{ args: loginArgv(name), limitMs: LOGIN_MS, onLine: report, unredacted: true, turn: 'login', run: runInTerminal },
			),
	};
}
