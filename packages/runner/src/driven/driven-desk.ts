// Sessions that Roost drives: started, prompted, interrupted, resumed, forked and ended here. What comes of it is told by the feed.
import type { DrivableAgent, ResumeRequest } from '@roost/core/runtime/connection';
import type { DrivingDesk, SessionShelf } from '@roost/gateway/backend';
import type { Adjustment, CreateSession, DrivenSession, PromptTaken } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, DriveMode, SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import { findProjectOf } from '../project.ts';
import { createInTurn } from './in-turn.ts';
import { DRIVEN_GATE, type LiveAgent } from './live-agent.ts';
import type { LiveAgents } from './live-agents.ts';
import { agentFor, agentNamed, type DrivableAgents } from './may-drive.ts';
import type { PromptDesk } from './prompt-desk.ts';
import { createResumePast, type FindPast } from './resume-past.ts';
import type { ModeSwitch } from './switch-mode.ts';

export type DrivenDesk = AsyncDisposable &
	DrivingDesk & {
		/** A prompt that waits goes into the run that is under way. */
		sendNow(id: SessionId, prompt: PromptId): Promise<Result<void>>;
		/** How many agents are at work. */
		working(): number;
	};

export type DrivenDeskDeps = {
	drivable: DrivableAgents;
	/** Why an agent cannot be started on this machine; null where it can. */
	whyNotHere?: ((agent: string) => Promise<string | null>) | undefined;
	engine: Engine;
	store: Pick<Store, 'sessions'>;
	agents: LiveAgents;
	prompts: PromptDesk;
	/** Whether somebody has that conversation open in a terminal of their own. */
	isOpenElsewhere: (nativeId: string) => boolean;
	modes: ModeSwitch;
	findPast: FindPast;
	rename: SessionShelf['rename'];
	newSessionId: () => SessionId;
};

/** A session that may be driven, and the agent it is driven by. */
type Found = { row: SessionRow; agent: DrivableAgent };

export function createDrivenDesk(deps: DrivenDeskDeps): DrivenDesk {
	const { engine, agents, prompts, modes } = deps;
	const inTurn = createInTurn<SessionId>();

	function find(id: SessionId): Result<Found> {
		const rows = deps.store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		if (!row) return err(new AppError('not_found', 'There is no such session: list them with GET /api/v1/sessions.'));
		const agent = agentFor(row, deps.drivable);
		return agent.ok ? ok({ row, agent: agent.value }) : agent;
	}

	/** Its agent, which is started again where it is gone. */
	async function liveAgent(id: SessionId): Promise<Result<LiveAgent>> {
		const found = find(id);
		if (!found.ok) return found;
		const running = agents.get(id);
		if (running) return ok(running);
		// Its agent may not have reported from there yet, so only the terminal itself is sure.
		const inTerminal = modes.whyNot(id);
		if (inTerminal !== undefined) return err(new AppError('conflict', inTerminal));
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
		if (!how.fork && deps.isOpenElsewhere(nativeId)) return err(isElsewhere());
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

	async function onRecord(sessionId: SessionId): Promise<Result<DrivenSession>> {
		await engine.settled();
		return ok({ sessionId });
	}

	async function message(id: SessionId, text: string): Promise<Result<PromptTaken>> {
		const agent = await liveAgent(id);
		if (!agent.ok) return agent;
		const sent = await agents.send(id, text);
		if (!sent.ok) return sent;
		await agents.sendNext(id);
		const waits = prompts.list(id).find((prompt) => prompt.id === sent.value.id);
		return ok({ promptId: sent.value.id, queued: waits ?? null });
	}

	async function sendNow(id: SessionId, prompt: PromptId): Promise<Result<void>> {
		const agent = await liveAgent(id);
		if (!agent.ok) return agent;
		const waits = engine.session(id);
		const chosen = waits.ok ? waits.value.prompts().waiting.find((one) => one.id === prompt) : undefined;
		if (!chosen || !agent.value.isBusy()) {
			const moved = await prompts.move(id, prompt, 0);
			if (moved.ok) await agents.sendNext(id);
			return moved;
		}
		const noted = await prompts.note(id, { type: 'steer', id: prompt });
		if (noted.ok) await agent.value.steer(chosen);
		return noted;
	}

	async function interrupt(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const agent = agents.get(id);
		if (!agent?.isBusy()) return err(new AppError('conflict', 'Its agent does nothing right now that could be interrupted.'));
		await agent.interrupt();
		return await onRecord(id);
	}

	async function resume(id: SessionId): Promise<Result<DrivenSession>> {
		const agent = await liveAgent(id);
		if (!agent.ok) return agent;
		await agents.sendNext(id);
		return await onRecord(id);
	}

	async function fork(id: SessionId, upTo?: string): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const child = deps.newSessionId();
		const forked = await takeUp(found.value, { id: child, parentId: id }, { fork: true, upTo, ifMissing: {} });
		return forked.ok ? await onRecord(child) : forked;
	}

	async function adjust(id: SessionId, { model, permissionMode }: Adjustment): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const before = driveOf(found.value.row);
		const refusal = found.value.agent.refuse({ cwd: before.cwd, gate: DRIVEN_GATE, model, permissionMode });
		if (refusal !== null) return err(new AppError('bad_request', refusal));
		const drive = { ...before, model: model ?? before.model, permission_mode: permissionMode ?? before.permission_mode };
		const noted = await modes.note(id, drive);
		if (!noted.ok) return noted;
		const agent = agents.get(id);
		if (model !== undefined) await agent?.control({ type: 'model', model });
		if (permissionMode !== undefined) await agent?.control({ type: 'permission-mode', mode: permissionMode });
		return await onRecord(id);
	}

	async function switchMode(id: SessionId, mode: DriveMode): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		if (mode === 'pty') {
			const moved = await modes.toTerminal(found.value.row, driveOf(found.value.row));
			return moved.ok ? await onRecord(id) : moved;
		}
		await modes.leaveTerminal(id);
		return await resume(id);
	}

	async function end(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		for (const prompt of prompts.list(id)) await prompts.cancel(id, prompt.id, 'the session was ended');
		await modes.leaveTerminal(id);
		await agents.letGo(id);
		// What its agent had not spoken of is not sent again to whoever takes the session up.
		const session = engine.session(id);
		const reason = 'the session was ended before its agent spoke of it';
		if (session.ok)
			for (const prompt of session.value.prompts().sent) await prompts.note(id, { type: 'arrive', id: prompt.id, reason });
		return ok({ sessionId: id });
	}

	async function create(request: CreateSession, resume?: ResumeRequest): Promise<Result<DrivenSession>> {
		const { agent: name, projectId, cwd = projectId, mode = 'sdk', prompt, model, permissionMode, allowedTools } = request;
		const agent = agentNamed(name, deps.drivable);
		if (!agent.ok) return agent;
		const notHere = await deps.whyNotHere?.(name);
		if (notHere) return err(new AppError('cannot_start', notHere));
		const project = await findProjectOf(cwd);
		if (!project.ok) return project;
		const id = deps.newSessionId();
		const drive = { mode, cwd, model, permission_mode: permissionMode, allowed_tools: allowedTools };
		if (mode === 'pty') {
			if (prompt !== undefined) return err(new AppError('bad_request', 'In a terminal people write the prompts: leave it out.'));
			const begun = await modes.begin({ id, agent: name, project: project.value, drive });
			return begun.ok ? await onRecord(id) : begun;
		}
		const started = await agents.start({ id, agent: agent.value, project: project.value, drive, resume });
		if (!started.ok) return started;
		const sent = prompt === undefined ? ok(undefined) : await agents.send(id, prompt);
		return sent.ok ? await onRecord(id) : sent;
	}

	const resumePast = createResumePast({
		...deps,
		start: create,
		goOn: (id, prompt) => inTurn<Result<unknown>>(id, () => (prompt === undefined ? resume(id) : message(id, prompt))),
	});

	return {
		create: ({ resume: past, ...request }) => (past ? resumePast(request, past.nativeId) : create(request)),
		message: (id, text) => inTurn(id, () => message(id, text)),
		sendNow: (id, prompt) => inTurn(id, () => sendNow(id, prompt)),
		// Not in turn: it must also stop an agent that never takes what it is given.
		interrupt,
		resume: (id) => inTurn(id, () => resume(id)),
		fork: (id, upTo) => inTurn(id, () => fork(id, upTo)),
		adjust: (id, adjustment) => inTurn(id, () => adjust(id, adjustment)),
		switchMode: (id, mode) => inTurn(id, () => switchMode(id, mode)),
		end: (id) => inTurn(id, () => end(id)),
		describe(row) {
			const agent = agentFor(row, deps.drivable);
			const why = modes.whyNot(row.id);
			if (why !== undefined) return { takesPrompts: false, why };
			return agent.ok ? { takesPrompts: true } : { takesPrompts: false, why: agent.error.message };
		},
		working: agents.working,
		[Symbol.asyncDispose]: () => agents[Symbol.asyncDispose](),
	};
}

/** How it was driven last. */
function driveOf({ drive, projectPath, model }: SessionRow): Drive {
	return drive ?? { mode: 'sdk', cwd: projectPath, model };
}

function cannotGoOn({ agent }: SessionRow): AppError {
	return new AppError('conflict', `The conversation of this ${agent} session cannot be taken up again: start a new one.`);
}

function isElsewhere(): AppError {
	return new AppError('conflict', 'This conversation is open in a terminal: end it there first, or fork it.');
}
