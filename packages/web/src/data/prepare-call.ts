// What happens to each call for a runner of a hub before it is sent: reads of a machine that is away fail here, and commands are sealed.
import type { Prepare } from '@roost/client/api-call';
import { AppError } from '@roost/protocol/app-error';
import { isOfRunner } from '@roost/protocol/contract/of-runner';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { sealCommand } from '../device/seal-command.ts';

/** `whyAway`: why its machine cannot be read now. */
export function createPrepare(runner: RunnerId, whyAway: () => string | undefined): Prepare {
	return async (call) => {
		const { name, operation, input } = call;
		if (!isOfRunner(name.split('.', 1)[0] ?? '')) return ok({ input, headers: {} });
		if (operation.needs !== 'view') return await sealCommand(runner, call);
		const why = operation.from === 'machine' ? whyAway() : undefined;
		return why === undefined ? ok({ input, headers: {} }) : err(new AppError('cannot_start', why));
	};
}
