// Whether an agent that runs has a model, as far as it tells: most take any name and fail only when they use it.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { LiveAgent } from './live-agent.ts';

export async function refuseModel(
	agent: Pick<LiveAgent, 'models'> | undefined,
	name: string,
	model: string | undefined,
): Promise<Result<void>> {
	if (model === undefined) return ok(undefined);
	const choice = await agent?.models();
	if (!choice || choice.has(model)) return ok(undefined);
	const { names } = choice;
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	const some = names.slice(0, MOST_NAMED).join(', ');
	return err(new AppError('bad_request', `${name} has no model "${model}". Choose one of ${some}${more}.`));
}

const MOST_NAMED = 12;
