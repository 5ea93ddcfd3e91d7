// The course of a session that Roost drives: how, where and in which copy it goes on from now on.
import type { InTurn } from '@roost/machine/in-turn';
import type { Adjustment, DrivenSession } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { DriveMode } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import { promiseResult } from '../record/command.ts';
import { DRIVEN_GATE, type LiveAgents, refuseModel } from './live-agents.ts';
import { driveOf, type Resuming } from './resuming.ts';
import type { ModeSwitch } from './switch-mode.ts';
import { ONLY_TERMINALS } from './terminal-mode.ts';

export type SessionControls = {
	/** A copy of it continues, as a session of its own. */
	fork(id: SessionId, upTo?: string): Promise<Result<DrivenSession>>;
	/** The models that its agent offers; none where it does not say, or has exited. */
	models(id: SessionId): Promise<Result<string[]>>;
	/** Another model or permission mode from now on, also after a resume. */
	adjust(id: SessionId, adjustment: Adjustment): Promise<Result<DrivenSession>>;
	/** Into a terminal, or back under Roost; the conversation stays the same. */
	switchMode(id: SessionId, mode: DriveMode, recording?: boolean): Promise<Result<DrivenSession>>;
};

export function createSessionControls(deps: {
	engine: Pick<Engine, 'sessionSettled'>;
	agents: LiveAgents;
	modes: ModeSwitch;
	resuming: Resuming;
	inTurn: InTurn<SessionId>;
	newSessionId: () => SessionId;
}): SessionControls {
	const { engine, agents, modes, resuming, inTurn } = deps;

	async function onRecord(sessionId: SessionId): Promise<Result<DrivenSession>> {
		await engine.sessionSettled(sessionId);
		return ok({ sessionId });
	}

	async function fork(id: SessionId, upTo?: string): Promise<Result<DrivenSession>> {
		const found = resuming.find(id);
		if (!found.ok) return found;
		const child = deps.newSessionId();
		promiseResult({ sessionId: child });
		const forked = await resuming.copy(found.value, child, upTo);
		return forked.ok ? await onRecord(child) : forked;
	}

	async function adjust(id: SessionId, { model, permissionMode }: Adjustment): Promise<Result<DrivenSession>> {
		const found = resuming.find(id);
		if (!found.ok) return found;
		const before = driveOf(found.value.row);
		const refusal = found.value.agent.refuse({ cwd: before.cwd, gate: DRIVEN_GATE, model, permissionMode });
		if (refusal !== null) return err(new AppError('bad_request', refusal));
		const known = await refuseModel(agents.get(id), found.value.row.agent, model);
		if (!known.ok) return known;
		const drive = { ...before, model: model ?? before.model, permission_mode: permissionMode ?? before.permission_mode };
		const noted = await modes.note(id, drive);
		if (!noted.ok) return noted;
		const agent = agents.get(id);
		if (model !== undefined) await agent?.control({ type: 'model', model });
		if (permissionMode !== undefined) await agent?.control({ type: 'permission-mode', mode: permissionMode });
		return await onRecord(id);
	}

	async function switchMode(id: SessionId, mode: DriveMode, recording?: boolean): Promise<Result<DrivenSession>> {
		if (recording && mode !== 'pty') return err(new AppError('bad_request', ONLY_TERMINALS));
		const found = resuming.find(id);
		if (!found.ok) return found;
		// Before anything is ended: a move that is refused leaves the session where it is.
		const alone = await resuming.refuseOther(found.value.row);
		if (!alone.ok) return alone;
		if (mode === 'pty') {
			const moved = await modes.toTerminal(found.value.row, driveOf(found.value.row), recording);
			return moved.ok ? await onRecord(id) : moved;
		}
		await modes.leaveTerminal(id);
		const agent = await resuming.liveAgent(id);
		if (!agent.ok) return agent;
		await agents.sendNext(id);
		return await onRecord(id);
	}

	return {
		async models(id) {
			const found = resuming.find(id);
			return found.ok ? ok([...((await agents.get(id)?.models())?.names ?? [])]) : found;
		},
		fork: (id, upTo) => inTurn(id, () => fork(id, upTo)),
		adjust: (id, adjustment) => inTurn(id, () => adjust(id, adjustment)),
		switchMode: (id, mode, recording) => inTurn(id, () => switchMode(id, mode, recording)),
	};
}
