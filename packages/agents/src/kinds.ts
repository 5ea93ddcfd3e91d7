// The kinds of agents in display order, and lookup by name.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { AGENT_IDS, type AgentId, DEFAULT_AGENT } from './base/agent-names.ts';
import type { AgentAdapter } from './base/types.ts';
import { claudeKind } from './claude/claude-kind.ts';
import { codexKind } from './codex/codex-kind.ts';
import { copilotKind } from './copilot/copilot-kind.ts';
import type { AgentKind, KnownAgent, RuntimeConfig } from './kind/agent-kind.ts';
import { piKind } from './pi/pi-kind.ts';

const KINDS: Readonly<Record<AgentId, AgentKind>> = {
	claude: claudeKind,
	codex: codexKind,
	pi: piKind,
	copilot: copilotKind,
};

export const AGENT_KINDS: readonly AgentKind[] = AGENT_IDS.map((id) => KINDS[id]);

export const KNOWN_AGENTS: readonly KnownAgent[] = AGENT_KINDS.map(({ known }) => known);

export function findKind(id: string, kinds: readonly AgentKind[] = AGENT_KINDS): AgentKind | undefined {
	return kinds.find(({ known }) => known.id === id);
}

/** The first kind with this feature, for features of one agent only. */
export function kindWith<Part extends keyof AgentKind>(part: Part): Having<Part> {
	const found = AGENT_KINDS.find((kind): kind is Having<Part> => kind[part] !== null);
	if (!found) throw new Error(`No kind of agent has ${part}.`);
	return found;
}

export type Having<Part extends keyof AgentKind> = AgentKind & { readonly [P in Part]: NonNullable<AgentKind[P]> };

export function getAdapter(
	name: string | undefined,
	config: RuntimeConfig = {},
	kinds: readonly AgentKind[] = AGENT_KINDS,
): Result<AgentAdapter> {
	const wanted = name ?? config.default ?? DEFAULT_AGENT;
	const kind = findKind(wanted, kinds);
	if (kind) return ok(kind.adapter(config));
	const names = kinds.map(({ known }) => known.id).join(', ');
	return err(new AppError('bad_request', `There is no agent "${wanted}": choose one of ${names}.`));
}

export function allAdapters(config: RuntimeConfig = {}): AgentAdapter[] {
	return AGENT_KINDS.map(({ adapter }) => adapter(config));
}

/** The agent's name for a model alias, or an error where it has none. */
export function toModelName(agent: string, model: string, config: RuntimeConfig = {}): Result<string> {
	const kind = findKind(agent);
	if (kind?.toModel) return ok(kind.toModel(model, config));
	const isAlias = AGENT_KINDS.some(({ models }) => Object.hasOwn(models, model));
	// Other names are passed to the agent unchanged.
	if (!isAlias || !kind) return ok(model);
	const name = Object.hasOwn(kind.models, model) ? kind.models[model] : undefined;
	if (name !== undefined) return ok(name);
	return err(new AppError('bad_request', `There is no "${model}" for ${agent}: name one of its own models.`));
}
