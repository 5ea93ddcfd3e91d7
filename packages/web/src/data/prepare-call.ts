// What happens to each call for a runner of a hub before it is sent: reads of a machine that is away fail here, and commands are sealed.
import type { Prepare } from '@roost/client/api-call';
import { AppError } from '@roost/protocol/app-error';
import { isOfRunner } from '@roost/protocol/contract/of-runner';
import type { Parts } from '@roost/protocol/contract/operation';
import { LONGEST_SEAL_MS } from '@roost/protocol/hub/signed-command';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { sealCommand } from '../device/seal-command.ts';
import { awayWords } from './away.ts';
import type { PageWorld } from './page-world.ts';

/** What is worth doing only now, and the rest. */
const SOON_MS = 30_000;
const LATER_MS = 15 * 60_000;
const SOON: ReadonlySet<string> = new Set(['sessions.interrupt', 'sessions.end']);

/** `world`: undefined while it is made, which begins with the first reads. */
export function createPrepare(runner: RunnerId, world: () => PageWorld | undefined): Prepare {
	return async (call) => {
		const { name, operation, input } = call;
		if (!isOfRunner(name.split('.', 1)[0] ?? '')) return ok({ input, headers: {} });
		if (operation.needs !== 'view') return await sealCommand({ runner, ...sealingOf(name, input, world()?.asks) }, call);
		const { away = null, now = 0 } = world() ?? {};
		if (operation.from === 'record' || away === null) return ok({ input, headers: {} });
		return err(new AppError('cannot_start', `The runner "${away.runner}" is ${awayWords(away, now)}.`));
	};
}

/** An answer is of use while its request is pending. */
function sealingOf(name: string, { askId }: Parts, asks: PageWorld['asks'] = []) {
	const ask = asks.find(({ id }) => id === askId);
	const now = Date.now();
	const deadline = ask?.expiresAt ?? now + (SOON.has(name) ? SOON_MS : LATER_MS);
	return { ask, expiresAt: Math.min(deadline, now + LONGEST_SEAL_MS) };
}
