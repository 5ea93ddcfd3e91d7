// A runner in the list of runners that it serves: itself.
import { ok } from '@roost/protocol/result';
import type { ApiHandlers } from '../operations/api.ts';
import type { Backend } from '../operations/backend.ts';

export function runnerHandlers(
	{ runner, record, pending }: Pick<Backend, 'runner' | 'record' | 'pending'>,
	since: number,
): ApiHandlers['runners'] {
	return {
		async list(_, context) {
			const working = await record.sessions({ status: 'working' }, context);
			if (!working.ok) return working;
			const { asks } = await pending();
			return ok([{ ...runner, online: true, since, asks: asks.length, working: working.value.length }]);
		},
	};
}
