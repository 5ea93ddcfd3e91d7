// The name of a model as an agent takes it, from what people call it. What is no alias goes to the agent as it is.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { aliasFor, isAlias } from './model-aliases.ts';
import { expandModel } from './pi/models.ts';
import type { RuntimeConfig } from './registry.ts';

/** Agents whose models are known here. */
const KNOWN: ReadonlySet<string> = new Set(['claude', 'codex', 'copilot']);

/** Or the sentence that says that it has no such model. */
export function toModelName(agent: string, model: string, { pi }: Pick<RuntimeConfig, 'pi'> = {}): Result<string> {
	if (agent === 'pi') return ok(expandModel(model, pi));
	if (!isAlias(model) || !KNOWN.has(agent)) return ok(model);
	const name = aliasFor(agent, model);
	if (name !== undefined) return ok(name);
	return err(new AppError('bad_request', `There is no "${model}" for ${agent}: name one of its own models.`));
}
