// Changes how a driven session continues: fork, model, permission mode, terminal.
import type { InTurn } from '@roost/machine/in-turn';
import type { Adjustment, DrivenSession } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, DriveMode, SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import { promiseResult } from '../record/command.ts';
import type { Project } from '../record/projects.ts';
import { DRIVEN_GATE, type LiveAgents, refuseModel } from './live-agents.ts';
import type { DrivingBase } from './may-drive.ts';
import { driveOf, type Resuming } from './resuming.ts';
import { type EndedTerminal, ONLY_TERMINALS, type TerminalMode } from './terminal-mode.ts';

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

export type ModeSwitch = ReturnType<typeof createModeSwitch>;

type NewSession = { id: SessionId; agent: string; project: Project; drive: Drive; recording?: boolean | undefined };

export function createModeSwitch(
	deps: Pick<DrivingBase, 'engine' | 'now' | 'warn'> & { agents: LiveAgents; terminal: TerminalMode },
) {
	const { engine, agents, terminal, now } = deps;

	async function note(id: SessionId, drive: Drive): Promise<Result<void>> {
		const session = engine.session(id);
		return session.ok
			? await session.value.submit({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
	}

	const starts = watchTerminalStarts({ engine, terminal, onFailed: takeBack });

	/** The start in the terminal failed, so Roost drives the session again. */
	async function takeBack(id: SessionId, why: string): Promise<void> {
		const session = engine.session(id);
		if (!session.ok) return deps.warn(session.error.message);
		const { agent, drive } = session.value.row();
		const message = `${agent} ${why}. Roost drives the session again: prompt it, or retry the terminal.`;
		session.value.post({ type: 'noted', fact: { kind: 'runtime.error', data: { code: 'cannot_start', message } }, at: now() });
		const noted = drive ? await note(id, { ...drive, mode: 'sdk' }) : ok(undefined);
		if (!noted.ok) deps.warn(`session ${id} could not be taken back from its terminal: ${noted.error.message}`);
	}

	async function openTerminal(session: Parameters<TerminalMode['open']>[0]): Promise<Result<void>> {
		starts.expect(session.id);
		const opened = await terminal.open(session);
		if (opened.ok) return ok(undefined);
		starts.forget(session.id);
		return opened;
	}

	return {
		async begin({ id, agent, project, drive, recording }: NewSession): Promise<Result<void>> {
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			const begun = engine.begin({ id, agent, project });
			if (!begun.ok) return begun;
			const nativeId = terminal.newNativeId(agent);
			const data = { agent, native_id: nativeId, reason: 'startup' as const };
			begun.value.post({ type: 'noted', fact: { kind: 'session.native', data }, at: now() });
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			return await openTerminal({ id, agent, drive, nativeId, isNew: true, recording });
		},
		async toTerminal(row: SessionRow, before: Drive, recording?: boolean): Promise<Result<void>> {
			const { id, agent } = row;
			const open = terminal.find(id);
			if (open) {
				const problem = `The session runs in terminal ${open.id} without a recording. Move it to mode sdk first, then back.`;
				return recording && open.recording === null ? err(new AppError('conflict', problem)) : ok(undefined);
			}
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			if (agents.get(id)?.isBusy()) return err(new AppError('conflict', 'The agent is running. Interrupt it first.'));
			const nativeId = row.nativeIds.at(-1)?.id;
			if (nativeId === undefined) return err(new AppError('conflict', 'This session has no messages yet. Send a prompt first.'));
			await agents.end(id);
			const drive = { ...before, mode: 'pty' as const };
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			const opened = await openTerminal({ id, agent, drive, nativeId, isNew: false, recording });
			if (!opened.ok) await note(id, before);
			return opened;
		},
		note,
		async leaveTerminal(id: SessionId): Promise<void> {
			starts.forget(id);
			await terminal.close(id);
		},
		/** Why it takes no prompts; undefined if it is not in a terminal. */
		whyNot(id: SessionId): string | undefined {
			const row = terminal.find(id);
			return row && `This session runs in a terminal. Attach with "roost attach ${id}" to write to its agent.`;
		},
		[Symbol.dispose]: () => starts[Symbol.dispose](),
	};
}

const MOST_LINES = 3;
const LONGEST_TEXT = 400;

/** Sessions that are starting in a terminal, until their agents report. An exit before that is a failure. */
export function watchTerminalStarts(deps: {
	engine: Pick<Engine, 'onUpdate'>;
	terminal: Pick<TerminalMode, 'onEnd'>;
	onFailed: (id: SessionId, why: string) => Promise<void>;
}) {
	const awaited = new Set<SessionId>();
	const offUpdate = deps.engine.onUpdate(({ sessionId, events }) => {
		if (awaited.has(sessionId) && events.some(({ kind }) => kind === 'session.start')) awaited.delete(sessionId);
	});
	const offEnd = deps.terminal.onEnd((ended) => {
		if (awaited.delete(ended.session)) void fail(ended);
	});

	async function fail({ session, exitCode, readScreen }: EndedTerminal): Promise<void> {
		const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
		await deps.onFailed(session, `exited in its terminal before it started${how}${toLastLines(await readScreen())}`);
	}

	return {
		expect: (id: SessionId) => void awaited.add(id),
		forget: (id: SessionId) => void awaited.delete(id),
		[Symbol.dispose]() {
			offUpdate();
			offEnd();
		},
	};
}

/** The last lines of the screen are usually the error. */
function toLastLines(screen: readonly string[]): string {
	const lines = screen.map((line) => line.trim()).filter((line) => line !== '');
	const text = lines.slice(-MOST_LINES).join(' ');
	if (text === '') return ', without output';
	return `, with the output: ${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}`;
}
