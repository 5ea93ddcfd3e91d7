// What people call models, and what each agent takes for it. A name that is no alias goes to the agent as it is.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { PiConfig, RuntimeConfig } from './registry.ts';

/** An agent that is not named here has no such model. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	opus: { claude: 'opus', pi: 'anthropic/claude-opus-5-5', copilot: 'claude-opus-5.5' },
	sonnet: { claude: 'sonnet', pi: 'anthropic/claude-sonnet-5', copilot: 'claude-sonnet-5' },
	haiku: { claude: 'haiku', pi: 'anthropic/claude-haiku-4-5', copilot: 'claude-haiku-4.5' },
};
/** Agents with aliases of their own, and those whose models nobody here knows. */
const HAS_ALIASES: ReadonlySet<string> = new Set(['claude', 'codex', 'pi', 'copilot']);

/** As this agent takes it, or the sentence that says that it has no such model. */
export function toModelName(agent: string, model: string, config: Pick<RuntimeConfig, 'pi'> = {}): Result<string> {
	if (agent === 'pi') return ok(toPiModel(model, config.pi ?? {}));
	const alias = Object.hasOwn(ALIASES, model) ? ALIASES[model] : undefined;
	if (!alias || !HAS_ALIASES.has(agent)) return ok(model);
	const name = alias[agent];
	if (name !== undefined) return ok(name);
	return err(new AppError('bad_request', `There is no "${model}" for ${agent}: name one of its own models.`));
}

/** The user's own map first. A name without a provider is meant for the one that is configured. */
function toPiModel(model: string, { provider, modelMap = {} }: PiConfig): string {
	const mapped = Object.hasOwn(modelMap, model) ? modelMap[model] : undefined;
	if (mapped !== undefined) return mapped;
	const alias = Object.hasOwn(ALIASES, model) ? ALIASES[model]?.pi : undefined;
	if (alias !== undefined && (provider === undefined || alias.startsWith(`${provider}/`))) return alias;
	return provider === undefined || model.includes('/') ? model : `${provider}/${model}`;
}
