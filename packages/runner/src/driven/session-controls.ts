// Changes how a driven session continues: fork, model, permission mode, terminal.
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

export type SessionControls = ReturnType<typeof createSessionControls>;

export function createSessionControls(deps: {
	engine: Pick<Engine, 'sessionSettled'>;
	agents: LiveAgents;
	modes: ModeSwitch;
	resuming: Resuming;
	inTurn: InTurn<SessionId>;
	newSessionId: () => SessionId;
}) {
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
		// Checked before anything is ended.
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
		/** The models that its agent lists; empty if it lists none or has exited. */
		async models(id: SessionId): Promise<Result<string[]>> {
			const found = resuming.find(id);
			return found.ok ? ok([...((await agents.get(id)?.models())?.names ?? [])]) : found;
		},
		fork: (id: SessionId, upTo?: string) => inTurn(id, () => fork(id, upTo)),
		adjust: (id: SessionId, adjustment: Adjustment) => inTurn(id, () => adjust(id, adjustment)),
		switchMode: (id: SessionId, mode: DriveMode, recording?: boolean) => inTurn(id, () => switchMode(id, mode, recording)),
	};
}
