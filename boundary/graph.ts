// The import graph as data: allowed imports between packages and folders, and words that belong to one agent.
import { AGENT_IDS } from '@roost/agents/base/agent-names';

/** Imports point strictly downward; a package that is not listed cannot be imported. */
export const PACKAGES: Record<string, { roost: readonly string[]; npm: readonly string[]; node: boolean }> = {
	protocol: { roost: [], npm: ['zod'], node: false },
	core: { roost: ['protocol'], npm: ['zod', 'unbash', 'picomatch'], node: false },
	machine: { roost: ['protocol', 'core'], npm: ['@lydell/node-pty', 'pino'], node: true },
	agents: {
		roost: ['protocol', 'core', 'machine'],
		npm: ['zod', '@anthropic-ai/claude-agent-sdk', '@agentclientprotocol/sdk'],
		node: true,
	},
	store: { roost: ['protocol', 'core'], npm: [], node: true },
	home: { roost: ['protocol', 'core', 'machine', 'agents'], npm: ['zod', 'yaml'], node: true },
	client: { roost: ['protocol', 'core'], npm: ['zod'], node: false },
	gateway: { roost: ['protocol', 'core'], npm: ['fastify', 'ws', 'zod'], node: true },
	runner: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'store', 'gateway'],
		npm: ['zod', '@xterm/headless', '@xterm/addon-serialize'],
		node: true,
	},
	hub: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'store', 'gateway'],
		npm: ['zod', 'ws', 'pg', '@nats-io/transport-node'],
		node: true,
	},
	cli: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'client'],
		npm: ['commander', 'ink', 'react', 'string-width', 'uqr', 'zod'],
		node: true,
	},
	web: {
		roost: ['protocol', 'core', 'client'],
		npm: [
			'react',
			'react-dom',
			'preact',
			'wouter',
			'zod',
			'@xterm/xterm',
			'@xterm/addon-fit',
			'uplot',
			'@shikijs/core',
			'@shikijs/engine-javascript',
			'@shikijs/langs',
		],
		node: false,
	},
	testkit: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'store', 'client', 'gateway', 'runner', 'hub', 'cli'],
		npm: [
			'vitest',
			'fast-check',
			'zod',
			'ws',
			'@lydell/node-pty',
			'@xterm/headless',
			'@agentclientprotocol/sdk',
			'playwright-core',
			'axe-core',
			'pg',
		],
		node: true,
	},
};

/** Folders inside a package, from the bottom up: each may import the folders listed before it. Files beside the folders are wiring and may import all. */
export const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
	web: [
		['device', 'keys', 'looks'],
		['service-worker'],
		['data'],
		['parts'],
		['asks'],
		['feed'],
		['session', 'sessions'],
		['agents', 'changes', 'devices', 'hub', 'projects', 'rules', 'search', 'terminal', 'usage'],
		['app'],
	],
	core: [
		['display', 'process', 'projects', 'redaction', 'runtime', 'shell', 'usage'],
		['answers', 'commands', 'paths'],
		['guards'],
		['rules'],
		['controller', 'hub'],
		['feed'],
		['session'],
		['views'],
	],
	agents: [
		['base', 'repository'],
		['guards', 'live'],
		['hooks'],
		['install'],
		['kind'],
		['acp'],
		[...AGENT_IDS, 'example', 'mock'],
		['conformance', 'guard-program'],
	],
	hub: [['bus', 'store'], ['runners', 'people'], ['commands', 'notify', 'search', 'terminals'], ['nodes'], ['api']],
	gateway: [['http'], ['access'], ['operations', 'sockets'], ['handlers', 'stream', 'terminals']],
	cli: [
		['completion', 'hooks', 'install', 'output', 'transport'],
		['hub'],
		['runner', 'tui'],
		['record'],
		['attach', 'demo', 'launch'],
		['doctor'],
		['commands'],
	],
};

/** Imports for tests only, in any package. */
export const TEST_ONLY = ['vitest', 'fast-check', '@roost/testkit'] as const;

/** Intended exceptions: one file each, and only as `await import`. */
export const DYNAMIC_IMPORTS: Record<string, readonly string[]> = {
	'packages/cli/src/runner/open-runner.ts': ['runner'],
	'packages/cli/src/runner/open-hub.ts': ['hub'],
};

/** Words of an agent's wire format. Each is used only in the folders below its key, and in testkit, which plays the agents. */
export const WIRE_WORDS: Record<string, readonly string[]> = {
	claude: [
		'hookSpecificOutput',
		'hookEventName',
		'permissionDecisionReason',
		'allowedEnvVars',
		'onFailure',
		'canUseTool',
		'parent_tool_use_id',
		'command_lifecycle',
		'CLAUDE_CONFIG_DIR',
		'ANTHROPIC_',
	],
	// Without an answer the forwarder denies the call itself, in the format that these agents share.
	hooks: ['hookSpecificOutput', 'hookEventName', 'permissionDecisionReason'],
	// Claude and Codex share one format for hooks in settings.
	install: ['onFailure'],
	pi: ['extension_ui_re', 'agent_settled', 'PI_CODING_AGENT'],
	// Its hooks use Claude's format for answers.
	codex: [
		'hookSpecificOutput',
		'hookEventName',
		'permissionDecisionReason',
		'requestApproval',
		'clientUserMessageId',
		'approvalPolicy',
		'trusted_hash',
	],
	// Its hooks use Claude's field for a denial.
	copilot: [
		'permissionDecisionReason',
		'COPILOT_HOME',
		'COPILOT_ALLOW',
		'session.usage_record',
		'toolArgs',
		'userPromptSubmitted',
	],
	acp: ['session/update', 'request_permission', 'clientCapabilities'],
};

/** Paths that may contain wire words without being an adapter: this list, and tests that play the agent. */
export const WIRE_WORD_HOMES = ['packages/testkit/src/', 'boundary/'] as const;

/** Names of agents: product code outside packages/agents branches on members of a kind, never on one of these. */
export const AGENT_NAMES = [...AGENT_IDS, 'acp', 'gemini'] as const;

/** Files that may contain the name of an agent, each with the reason. */
export const AGENT_NAME_HOMES: Record<string, string> = {
	'packages/cli/src/commands/projects.ts': 'labels a field that the API calls hasClaudeConfig',
	'packages/cli/src/demo/open-demo.ts': 'a scripted story has an agent',
	'packages/core/src/process/program-files.ts': 'paths of the agent programs in the package',
	'packages/home/src/config/schema.ts': 'keys of config.yaml',
	'packages/protocol/src/api/projects.ts': 'hasClaudeConfig, a field of the API',
	'packages/runner/src/projects/inspect-project.ts': 'hasClaudeConfig, a field of the API',
	'packages/runner/src/projects/project-catalog.ts': 'scanClaudeProjects, a key of config.yaml',
};

export const MAX_LINES = { source: 400, test: 600 } as const;
