// The kinds of agents Roost knows, by name.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { AgentKind } from './agent-kind.ts';
import { AGENT_KINDS, findKind } from './kinds.ts';
import type { AgentRuntime } from './types.ts';

/** What a user configured of the agents, from `runtime` in config.yaml. */
export type RuntimeConfig = {
	default?: string | undefined;
	pi?: PiConfig | undefined;
};

/** How unqualified names of models are meant. */
export type PiConfig = { provider?: string | undefined; modelMap?: Readonly<Record<string, string>> | undefined };

const FALLBACK = 'claude';

/** The one that was named, else the configured one, else Claude. */
export function getRuntime(
	name: string | undefined,
	config: RuntimeConfig = {},
	kinds: readonly AgentKind[] = AGENT_KINDS,
): Result<AgentRuntime> {
	const wanted = name ?? config.default ?? FALLBACK;
	const kind = findKind(wanted, kinds);
	if (kind) return ok(kind.runtime(config));
	const names = kinds.map(({ known }) => known.id).join(', ');
	return err(new AppError('bad_request', `There is no agent "${wanted}": choose one of ${names}.`));
}

export function allRuntimes(config: RuntimeConfig = {}): AgentRuntime[] {
	return AGENT_KINDS.map(({ runtime }) => runtime(config));
}
