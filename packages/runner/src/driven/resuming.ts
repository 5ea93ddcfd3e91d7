// Sessions that may be driven: found on record, and taken up again where their agents are gone.
import type { DrivableAgent, ResumeRequest } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { LiveAgent } from './live-agent.ts';
import type { LiveAgents } from './live-agents.ts';
import { agentFor, type DrivableAgents } from './may-drive.ts';
import { type RefuseOtherWriter, refuseOtherOf } from './other-writer.ts';
import type { ModeSwitch } from './switch-mode.ts';

export type Resuming = {
	/** Refuses one that is not there, and one that Roost may not drive. */
	find(id: SessionId): Result<Found>;
	/** Refuses where somebody else writes to its conversation. */
	refuseOther(row: SessionRow): Promise<Result<void>>;
	/** Its agent, which is started again where it is gone. */
	liveAgent(id: SessionId): Promise<Result<LiveAgent>>;
	/** A copy of its conversation goes on in another session; the original is only read. */
	copy(found: Found, into: SessionId, upTo: string | undefined): Promise<Result<LiveAgent>>;
};

/** A session that may be driven, and the agent it is driven by. */
export type Found = { row: SessionRow; agent: DrivableAgent };

export function createResuming(deps: {
	drivable: DrivableAgents;
	engine: Engine;
	store: Pick<Store, 'sessions'>;
	agents: LiveAgents;
	modes: Pick<ModeSwitch, 'whyNot'>;
	refuseOtherWriter: RefuseOtherWriter;
}): Resuming {
	const { engine, agents, modes } = deps;

	function find(id: SessionId): Result<Found> {
		const rows = deps.store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		if (!row) return err(new AppError('not_found', 'Session not found. GET /api/v1/sessions lists sessions.'));
		const agent = agentFor(row, deps.drivable);
		return agent.ok ? ok({ row, agent: agent.value }) : agent;
	}

	const refuseOther = (row: SessionRow) => refuseOtherOf(deps.refuseOtherWriter, row);

	async function liveAgent(id: SessionId): Promise<Result<LiveAgent>> {
		const found = find(id);
		if (!found.ok) return found;
		// Its agent may not have reported from there yet, so only the terminal itself is sure.
		const inTerminal = agents.get(id) ? undefined : modes.whyNot(id);
		if (inTerminal !== undefined) return err(new AppError('conflict', inTerminal));
		const alone = await refuseOther(found.value.row);
		if (!alone.ok) return alone;
		const running = agents.get(id);
		if (running) return ok(running);
		const { parentId, drive } = found.value.row;
		const copyOf = drive?.copy_of && { nativeId: drive.copy_of.native_id, upTo: drive.copy_of.up_to };
		return await takeUp(found.value, { id, parentId }, { fork: false, ifMissing: { copyOf } });
	}

	/** The conversation of that session goes on, or a copy of it does, in the session that is named. */
	async function takeUp(
		{ row, agent }: Found,
		target: { id: SessionId; parentId?: SessionId | undefined },
		how: Omit<ResumeRequest, 'nativeId'>,
	): Promise<Result<LiveAgent>> {
		const nativeId = row.nativeIds.at(-1)?.id;
		if (!agent.capabilities.canResume || nativeId === undefined) return err(cannotGoOn(row));
		const session = engine.session(row.id);
		if (!session.ok) return session;
		const ifMissing = session.value.hasAnswered() ? undefined : how.ifMissing;
		const { projectId, projectPath } = row;
		const drive = { ...driveOf(row), mode: 'sdk' as const };
		return await agents.start({
			...target,
			agent,
			project: { id: projectId, path: projectPath },
			drive: how.fork ? { ...drive, copy_of: { native_id: nativeId, up_to: how.upTo } } : drive,
			resume: { nativeId, ...how, ifMissing },
		});
	}

	return {
		find,
		refuseOther,
		liveAgent,
		copy: (found, into, upTo) => takeUp(found, { id: into, parentId: found.row.id }, { fork: true, upTo, ifMissing: {} }),
	};
}

/** How it was driven last. */
export function driveOf({ drive, projectPath, model }: SessionRow): Drive {
	return drive ?? { mode: 'sdk', cwd: projectPath, model };
}

function cannotGoOn({ agent }: SessionRow): AppError {
	return new AppError('conflict', `The conversation of this ${agent} session cannot be resumed. Start a new one.`);
}
