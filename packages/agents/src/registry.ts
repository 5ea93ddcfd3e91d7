// The kinds of agents Roost knows, by name. The only file that names them all.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createClaudeRuntime } from './claude/claude-runtime.ts';
import { createCodexRuntime } from './codex/codex-runtime.ts';
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

type MakeRuntime = (config: RuntimeConfig) => AgentRuntime;

const FALLBACK = 'claude';

/** One row for each: a new agent needs a folder and a row here. */
const RUNTIMES: ReadonlyMap<string, MakeRuntime> = new Map<string, MakeRuntime>([
	['claude', () => createClaudeRuntime()],
	['codex', () => createCodexRuntime()],
	['pi', ({ pi }) => createPiRuntime(pi)],
	['copilot', () => createCopilotRuntime()],
]);

/** The one that was named, else the configured one, else Claude. */
export function getRuntime(name: string | undefined, config: RuntimeConfig = {}): Result<AgentRuntime> {
	const wanted = name ?? config.default ?? FALLBACK;
	const make = RUNTIMES.get(wanted);
	if (make) return ok(make(config));
	return err(new AppError('bad_request', `There is no agent "${wanted}": choose one of ${[...RUNTIMES.keys()].join(', ')}.`));
}

export function allRuntimes(config: RuntimeConfig = {}): AgentRuntime[] {
	return [...RUNTIMES.values()].map((make) => make(config));
}
