// The kinds of agents Roost knows, by name. The only file that names them all.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createClaudeRuntime } from './claude/claude-runtime.ts';
import { createCopilotRuntime } from './copilot/copilot-runtime.ts';
import { createPiRuntime } from './pi/pi-runtime.ts';
import type { AgentRuntime } from './types.ts';

/** What a user configured of the agents, from `runtime` in config.yaml. */
export type RuntimeConfig = {
	default?: string | undefined;
	pi?: PiConfig | undefined;
};

/** How unqualified names of models are meant. */
export type PiConfig = { provider?: string | undefined; modelMap?: Readonly<Record<string, string>> | undefined };

/** One kind of agent, and how its program is known for what it is. */
export type AgentKind = {
	readonly runtime: AgentRuntime;
	/** What `--version` says; the version is its first group. */
	readonly version: RegExp;
	/** The oldest one that Roost knows to work. */
	readonly oldest: string;
	/** How sessions that people start themselves are observed; null where they are not. */
	readonly observed: string | null;
};

type Row = Omit<AgentKind, 'runtime'> & { make: (config: RuntimeConfig) => AgentRuntime };

const FALLBACK = 'claude';

/** One row for each: a new agent needs a folder and a row here. */
const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
	[
		'claude',
		{
			make: () => createClaudeRuntime(),
			version: /^(\d+\.\d+\.\d+)\S* \(Claude Code\)/m,
			oldest: '2.1.0',
			observed: 'roost claude, or hooks in a project',
		},
	],
	['pi', { make: ({ pi }) => createPiRuntime(pi), version: /^(\d+\.\d+\.\d+)\S*\s*$/m, oldest: '0.87.1', observed: null }],
	[
		'copilot',
		{
			make: () => createCopilotRuntime(),
			version: /\bCopilot CLI (\d+\.\d+\.\d+)/,
			oldest: '1.0.102',
			observed: null,
		},
	],
]);

/** The one that was named, else the configured one, else Claude. */
export function getRuntime(name: string | undefined, config: RuntimeConfig = {}): Result<AgentRuntime> {
	const wanted = name ?? config.default ?? FALLBACK;
	const row = ROWS.get(wanted);
	if (row) return ok(row.make(config));
	return err(new AppError('bad_request', `There is no agent "${wanted}": choose one of ${[...ROWS.keys()].join(', ')}.`));
}

export function allKinds(config: RuntimeConfig = {}): AgentKind[] {
	return [...ROWS.values()].map(({ make, ...row }) => ({ runtime: make(config), ...row }));
}

export function allRuntimes(config: RuntimeConfig = {}): AgentRuntime[] {
	return allKinds(config).map(({ runtime }) => runtime);
}
