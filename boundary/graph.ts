// The import graph as data: which package may import which, and which words must stay where.

/** Imports point strictly downward; a package that is not listed may not be imported at all. */
export const PACKAGES: Record<string, { roost: readonly string[]; npm: readonly string[]; node: boolean }> = {
	protocol: { roost: [], npm: ['zod'], node: false },
	core: { roost: ['protocol'], npm: ['zod', 'unbash', 'picomatch'], node: false },
	machine: { roost: ['protocol', 'core'], npm: ['@lydell/node-pty'], node: true },
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
		npm: ['zod', 'pino', '@xterm/headless', '@xterm/addon-serialize'],
		node: true,
	},
	cli: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'client'],
		npm: ['commander', 'ink', 'react', 'string-width', 'zod'],
		node: true,
	},
	testkit: {
		roost: ['protocol', 'core', 'machine', 'agents', 'home', 'store', 'client', 'gateway', 'runner', 'cli'],
		npm: [
			'vitest',
			'fast-check',
			'zod',
			'ws',
			'@lydell/node-pty',
			'@xterm/headless',
			'@agentclientprotocol/sdk',
			'playwright-core',
		],
		node: true,
	},
};

/** Folders inside a package, from the bottom up: each may import those on lines above it. Files beside the folders are wiring and may import all. */
export const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
	core: [
		['display', 'process', 'projects', 'redaction', 'runtime', 'shell', 'usage'],
		['answers', 'commands', 'paths'],
		['guards'],
		['rules'],
		['controller'],
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
		['claude', 'codex', 'copilot', 'example', 'mock', 'pi'],
		['conformance', 'guard-program'],
	],
	gateway: [['http'], ['access'], ['operations', 'sockets'], ['handlers', 'stream', 'terminals']],
	cli: [['completion', 'hooks', 'install', 'output'], ['runner', 'tui'], ['attach', 'demo', 'launch'], ['doctor'], ['commands']],
};

/** What only tests may import, in any package. */
export const TEST_ONLY = ['vitest', 'fast-check', '@roost/testkit'] as const;

/** Exceptions that are part of the design: one file each, and only as `await import`. */
export const DYNAMIC_IMPORTS: Record<string, readonly string[]> = {
	'packages/cli/src/runner/open-runner.ts': ['runner'],
};

/** An agent's wire words, each kept inside the folders of those who say it (and in testkit, which plays the other side). */
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
	// Where nobody answers, the forwarder itself refuses, in the words that these agents share.
	hooks: ['hookSpecificOutput', 'hookEventName', 'permissionDecisionReason'],
	// Hooks in settings have one form for Claude and Codex.
	install: ['onFailure'],
	pi: ['extension_ui_re', 'agent_settled', 'PI_CODING_AGENT'],
	// Its hooks are answered in the words of Claude's.
	codex: [
		'hookSpecificOutput',
		'hookEventName',
		'permissionDecisionReason',
		'requestApproval',
		'clientUserMessageId',
		'approvalPolicy',
		'trusted_hash',
	],
	// Its hooks take a refusal in a word of Claude's.
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

/** Files that may say a wire word although they are no adapter: the boundary names the word, or a test plays the agent. */
export const WIRE_WORD_HOMES = ['packages/testkit/src/', 'boundary/'] as const;

/** Names of agents: product code outside packages/agents branches on what a kind has, never on one of these. */
export const AGENT_NAMES = ['claude', 'codex', 'copilot', 'pi', 'acp', 'gemini'] as const;

/** Files that may say one as a value or a name of their own, each with the reason. */
export const AGENT_NAME_HOMES: Record<string, string> = {
	'packages/cli/src/commands/projects.ts': 'labels a field that the API calls hasClaudeConfig',
	'packages/cli/src/demo/play-story.ts': 'a scripted story has an agent',
	'packages/core/src/process/program-files.ts': 'where the programs of agents lie in the package',
	'packages/home/src/config/schema.ts': 'keys of config.yaml',
	'packages/protocol/src/api/projects.ts': 'hasClaudeConfig, a field of the API',
	'packages/runner/src/projects/inspect-project.ts': 'hasClaudeConfig, a field of the API',
	'packages/runner/src/projects/project-catalog.ts': 'scanClaudeProjects, a key of config.yaml',
};

export const MAX_LINES = { source: 400, test: 600 } as const;
