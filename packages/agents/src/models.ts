// The name of a model as an agent takes it, from what people call it. What is no alias goes to the agent as it is.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findKind } from './kinds.ts';
import { aliasFor, isAlias } from './model-aliases.ts';
import type { RuntimeConfig } from './registry.ts';

/** Or the sentence that says that it has no such model. */
export function toModelName(agent: string, model: string, config: RuntimeConfig = {}): Result<string> {
	const kind = findKind(agent);
	if (kind?.toModel) return ok(kind.toModel(model, config));
	if (!isAlias(model) || !kind) return ok(model);
	const name = aliasFor(agent, model);
	if (name !== undefined) return ok(name);
	return err(new AppError('bad_request', `There is no "${model}" for ${agent}: name one of its own models.`));
}
