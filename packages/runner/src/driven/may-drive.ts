// Whether Roost can drive a session or an agent, and the error if it cannot.
import { findKind } from '@roost/agents/kinds';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';

/** `get` also accepts names that `keys` does not list. */
export type DrivableAgents = Pick<ReadonlyMap<string, DrivableAgent>, 'get' | 'keys'>;

export type DrivingBase = {
	engine: Engine;
	store: Pick<Store, 'sessions'>;
	drivable: DrivableAgents;
	now: () => number;
	warn: (sentence: string) => void;
};

export function agentFor({ driven, agent: name, status }: SessionRow, drivable: DrivableAgents): Result<DrivableAgent> {
	if (!driven) return err(new AppError('conflict', status === 'ended' ? whyOver(name) : OBSERVED));
	const agent = drivable.get(name);
	if (!agent) return err(new AppError('conflict', `This runner cannot drive ${name}, so the session takes no prompts here.`));
	return ok(agent);
}

const OBSERVED = 'This session is only observed: write to its agent in the terminal where it runs.';

/** Roost can resume past conversations of some agents only. */
function whyOver(agent: string): string {
	const how = findKind(agent)?.past
		? 'Resume it with :resume, or with "roost projects resume".'
		: 'Resume it in a terminal, as it was started.';
	return `This session was only observed and has ended. ${how}`;
}

export function agentNamed(name: string, drivable: DrivableAgents): Result<DrivableAgent> {
	const agent = drivable.get(name);
	if (agent) return ok(agent);
	const known = [...drivable.keys()];
	const instead =
		known.length === 0
			? `This runner drives no agents: start ${name} in a terminal, such as with "roost claude".`
			: `This runner cannot drive "${name}": choose ${known.join(' or ')}.`;
	return err(new AppError('bad_request', instead));
}
