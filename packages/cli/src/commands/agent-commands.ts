// The commands that run agents, and those for their hooks, plugins and MCP servers.
import { AGENT_NAMES, DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { Option } from 'commander';
import { type Argument, type CommandDefinition, command, repeated } from './define-command.ts';

const NAME: Argument = ['<name>', 'name'];
const SCOPE = ['--scope <scope>', 'user, project or local'] as const;
const MCP_SCOPE = ['--scope <scope>', 'local (this project, you alone), project (shared by .mcp.json) or user', 'local'] as const;
const YES = ['--yes', 'do not ask for confirmation'] as const;
const LOOK = [
	['--theme <name>', 'dark, light or high-contrast'],
	['--ascii', 'no glyphs beyond ASCII'],
] as const;

const RUN_NOTES = `When the agent asks for something that no rule decides (--on-ask):
  wait   wait until it is answered or expires; in a terminal, answer with
         y (allow), n (deny), a (always allow) or e (edit), or elsewhere
         with "roost allow" and "roost deny"
  deny   deny it at once and let the agent continue without it;
         a question gets no answer
  fail   deny the first request and end the run

Exit codes:
    0  the agent finished, even if requests were denied on the way
    1  another failure, such as the runner ending
    2  wrong usage
    3  could not start: no such agent, folder or session, or no runner
    4  the agent failed, or ended before it finished
    5  a request was denied or unanswered and the agent could not continue;
       with --on-ask fail, the first request
    6  timed out (--timeout)
    7  the agent reached its turn limit (--max-turns, or sdk.maxTurns in
       config.yaml)
  130  interrupted: by Ctrl-C (twice exits at once), or because stdout
       was closed

The final response is alone on stdout. Progress goes to stderr: tool calls,
and retries of the model at most every 10 seconds; --quiet turns it off.

A prompt has at most 1,048,576 characters, for every agent. The model may
accept less: the agent checks its context window.

The session stays on record, for "roost feed" and for --resume. Its agent
exits, unless it was running before.`;

const MCP_ADD_NOTES = `Claude takes the values of variables and headers as arguments,
so that for a moment other users of this machine could see them.`;

const OBSERVED_COMMANDS = AGENT_NAMES.flatMap(({ id, title, once }): CommandDefinition[] => {
	if (once === null) return [];
	const definition = command(id, `Run your own ${title} in this terminal, on record`, {
		args: [['[args...]', `arguments for ${id}`]],
		options: [['--enforce', 'block every call that was not explicitly allowed']],
		json: false,
		globals: true,
		passesThrough: true,
		examples: [`roost ${id}`, `roost ${id} ${once}`, `roost ${id} --enforce`, `roost ${id} -- --help    help of ${id} itself`],
		run: async () => (await import('./launch.ts')).launch.bind(null, id),
	});
	return [definition];
});

export const RUN_COMMANDS: readonly CommandDefinition[] = [
	command('demo', 'Show Roost with scripted agents; saves nothing', {
		options: [
			new Option('--plain', 'print line by line instead of opening the UI').default(false),
			new Option('--web', 'show it in your browser instead').conflicts(['plain', 'theme', 'ascii']),
			['--speed <n>', 'speed factor', '1'],
			...LOOK,
		],
		json: false,
		globals: true,
		examples: ['roost demo', 'roost demo --web', 'roost demo --theme light --speed 2', 'roost demo --plain'],
		run: async () => (await import('./demo.ts')).demo,
	}),
	...OBSERVED_COMMANDS,
	command('run', 'Run an agent once and print its final response', {
		args: [['[prompt]', 'the prompt; reads stdin when omitted or "-"']],
		options: [
			['--agent <agent>', 'agent to run (default: runtime.default in config.yaml)'],
			['--model <model>', 'model, as the agent names it'],
			['--permission-mode <mode>', 'manual (default), acceptEdits, plan, dontAsk or bypassPermissions'],
			['--on-ask <what>', 'wait, deny or fail (default: wait in a terminal, deny elsewhere)'],
			['--timeout <seconds>', 'interrupt the run after this time'],
			['--max-turns <n>', 'stop after n model calls (claude only; default: no limit)'],
			['--resume <session>', 'resume this session'],
			['--cwd <folder>', 'working directory (default: the current one)'],
			['--quiet', 'no progress on stderr; errors are still printed'],
		],
		notes: RUN_NOTES,
		examples: [
			'roost run "explain this repository"',
			'roost run --on-ask fail --timeout 600 --json "fix the tests" > run.jsonl',
			'{ echo "Review this change:"; git diff main; } | roost run',
			'roost run --resume k3f9 "and now the tests"',
		],
		run: async () => (await import('./run.ts')).run,
	}),
];

const HOOKS_AGENT = new Option('--agent <agent>', `agent to record (default: ${DEFAULT_AGENT})`).choices(OBSERVED_IDS);
const ACCEPT = ['--accept-command <sha256>', 'accept the one command that the refusal showed you'] as const;

function pluginChange(verb: 'install' | 'enable' | 'disable' | 'update' | 'uninstall', about: string): CommandDefinition {
	return command(verb, about, {
		args: [['<plugin>', 'plugin name or name@marketplace']],
		options: verb === 'install' || verb === 'update' ? [SCOPE, ACCEPT] : [SCOPE],
		examples: [`roost plugins ${verb} formatter@team-tools`],
		run: async () => (await import('./agent-cli.ts')).changePlugin.bind(null, verb),
	});
}

export const AGENT_COMMANDS: readonly CommandDefinition[] = [
	command('hooks', 'Record every agent started in this project', {
		examples: ['roost hooks install', 'roost hooks install --agent codex', 'roost hooks status'],
		commands: [
			command('install', 'Install hooks that report an agent in this project', {
				options: [HOOKS_AGENT, YES, ['--diff', 'show the whole change']],
				examples: ['roost hooks install', 'roost hooks install --agent codex'],
				run: async () => (await import('./hooks.ts')).installHooks,
			}),
			command('uninstall', 'Remove the hooks', {
				options: [HOOKS_AGENT],
				examples: ['roost hooks uninstall'],
				run: async () => (await import('./hooks.ts')).uninstallHooks,
			}),
			command('status', 'Show whether hooks are installed and unchanged', {
				isDefault: true,
				options: [new Option('--agent <agent>', 'only this agent (default: all)').choices(OBSERVED_IDS)],
				examples: ['roost hooks status --json'],
				run: async () => (await import('./hooks.ts')).hooksStatus,
			}),
		],
	}),
	command('agents', 'List the coding agents on this machine', {
		options: [
			['--matrix', 'show what was proven of each with the real program, cell by cell'],
			['--prove', 'start each agent once and test that its permission hook blocks a call'],
		],
		examples: ['roost agents', 'roost agents --matrix', 'roost agents --prove'],
		run: async () => (await import('./agents.ts')).agents,
	}),
	command('plugins', "Manage Claude's plugins", {
		examples: ['roost plugins', 'roost plugins install formatter@team-tools'],
		commands: [
			command('list', 'List installed plugins', {
				isDefault: true,
				options: [['--available', 'also list plugins offered by marketplaces']],
				examples: ['roost plugins list --available'],
				run: async () => (await import('./agent-cli.ts')).listPlugins,
			}),
			pluginChange('install', 'Install a plugin; its code runs with your rights'),
			pluginChange('enable', 'Enable a plugin'),
			pluginChange('disable', 'Disable a plugin without uninstalling it'),
			pluginChange('update', 'Update a plugin'),
			pluginChange('uninstall', 'Uninstall a plugin'),
			command('marketplaces', 'Manage plugin marketplaces', {
				examples: ['roost plugins marketplaces', 'roost plugins marketplaces add ./team-tools'],
				commands: [
					command('list', 'List marketplaces', {
						isDefault: true,
						examples: ['roost plugins marketplaces'],
						run: async () => (await import('./agent-cli.ts')).listMarketplaces,
					}),
					command('add', 'Add a marketplace', {
						args: [['<source>', 'owner/repo, an https URL or a local folder']],
						options: [SCOPE],
						examples: ['roost plugins marketplaces add ./team-tools'],
						run: async () => (await import('./agent-cli.ts')).addMarketplace,
					}),
					command('remove', 'Remove a marketplace', {
						args: [NAME],
						examples: ['roost plugins marketplaces remove team-tools'],
						run: async () => (await import('./agent-cli.ts')).removeMarketplace,
					}),
					command('update', 'Update marketplaces', {
						args: [['[name]', 'marketplace to update (default: all)']],
						examples: ['roost plugins marketplaces update'],
						run: async () => (await import('./agent-cli.ts')).updateMarketplaces,
					}),
				],
			}),
		],
	}),
	command('mcp', "Manage Claude's MCP servers", {
		examples: ['roost mcp', 'roost mcp get database', 'roost mcp trust'],
		commands: [
			command('list', 'List servers and check their health', {
				isDefault: true,
				examples: ['roost mcp'],
				run: async () => (await import('./agent-cli.ts')).listServers,
			}),
			command('get', 'Show a server without the values of its secrets', {
				args: [NAME],
				examples: ['roost mcp get database'],
				run: async () => (await import('./agent-cli.ts')).getServer,
			}),
			command('add', 'Add a server; it runs with your rights', {
				args: [
					['<name>', 'server name: letters, digits, dashes and underscores'],
					['<target>', 'program to run, or URL of a remote server'],
					['[args...]', 'arguments of the program, after --'],
				],
				options: [
					['--transport <transport>', 'stdio, http or sse', 'stdio'],
					repeated('-e, --env <name=value>', 'environment variable; can be repeated'),
					repeated('-H, --header <name:value>', 'header for http and sse; can be repeated'),
					MCP_SCOPE,
				],
				notes: MCP_ADD_NOTES,
				examples: [
					'roost mcp add database -e DB_URL=postgres://localhost/app -- npx -y db-server',
					'roost mcp add tracker --transport http https://mcp.example.com/mcp',
				],
				run: async () => (await import('./agent-cli.ts')).addServer,
			}),
			command('add-json', "Add a server in Claude's own JSON format", {
				args: [
					['<name>', 'server name'],
					['<config>', 'JSON object'],
				],
				options: [MCP_SCOPE],
				examples: [`roost mcp add-json database '{"command":"npx","args":["-y","db-server"]}'`],
				run: async () => (await import('./agent-cli.ts')).addServerJson,
			}),
			command('remove', 'Remove a server', {
				args: [NAME],
				options: [['--scope <scope>', 'remove it only from local, project or user scope']],
				examples: ['roost mcp remove database'],
				run: async () => (await import('./agent-cli.ts')).removeServer,
			}),
			command('auth', 'Log in to a server with your browser', {
				args: [NAME],
				examples: ['roost mcp auth tracker'],
				run: async () => (await import('./agent-cli.ts')).logInToServer,
			}),
			command('trust', "Trust an MCP server of this project's .mcp.json", {
				args: [['[name]', 'server name; lists all servers when omitted']],
				options: [['--yes', 'trust without asking; without a name, trust all servers']],
				examples: ['roost mcp trust', 'roost mcp trust tickets', 'roost mcp trust --yes'],
				run: async () => (await import('./mcp-trust.ts')).trustServer,
			}),
			command('untrust', 'Stop trusting an MCP server', {
				args: [['<name>', 'server name']],
				examples: ['roost mcp untrust tickets'],
				run: async () => (await import('./mcp-trust.ts')).untrustServer,
			}),
		],
	}),
];
