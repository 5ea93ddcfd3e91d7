// How strict the gate is: a flag over the environment, observe where neither says a word.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function readGate(env: NodeJS.ProcessEnv, enforce: boolean): Result<GateMode> {
	if (enforce) return ok('enforce');
	const given = env.ROOST_GATE;
	if (!given || given === 'observe') return ok('observe');
	if (given === 'enforce') return ok('enforce');
	return err(new AppError('usage', `ROOST_GATE is "${given}"; it may be observe or enforce.`));
}
