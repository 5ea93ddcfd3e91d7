// Sessions that Roost drives: started, prompted, interrupted, resumed, forked and ended here. What comes of it is told by the feed.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { DrivingDesk } from '@roost/gateway/backend';
import type { DrivenSession, PromptTaken } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { Told } from '../engine/live-session.ts';
import { findProjectOf, type Project } from '../project.ts';
import { createInTurn } from './in-turn.ts';
import { DRIVEN_GATE, type LiveAgent, startLiveAgent } from './live-agent.ts';
import { agentFor, agentNamed, type DrivableAgents, listAgents } from './may-drive.ts';
import type { PromptQueues } from './prompt-queues.ts';

export type DrivenDesk = AsyncDisposable &
	DrivingDesk & {
		/** How many agents are at work. */
		working(): number;
	};

export type DrivenDeskDeps = {
	drivable: DrivableAgents;
	engine: Engine;
	store: Pick<Store, 'sessions'>;
	queues: PromptQueues;
	newSessionId: () => SessionId;
	newPromptId: () => PromptId;
	now: () => number;
	warn: (sentence: string) => void;
};

type Start = { id: SessionId; parentId?: SessionId | undefined; agent: DrivableAgent; project: Project; request: Request };
/** A session that may be driven, and the agent it is driven by. */
type Found = { row: SessionRow; agent: DrivableAgent };
type Request = Omit<DrivenRequest, 'gate'>;

export function createDrivenDesk(deps: DrivenDeskDeps): DrivenDesk {
	const { engine, queues } = deps;
	const live = new Map<SessionId, LiveAgent>();
	const inTurn = createInTurn<SessionId>();
	const offTold = engine.onTold((told) => void heed(told));

	function start({ id, parentId, agent, project, request }: Start): LiveAgent {
		const { now, warn } = deps;
		const opened = agent.open({ ...request, gate: DRIVEN_GATE });
		const started = startLiveAgent({ agent: opened, session: { id, parentId }, project, engine, now, warn });
		live.set(id, started);
		return started;
	}

	async function heed({ sessionId, events }: Told): Promise<void> {
		const agent = live.get(sessionId);
		if (!agent) return;
		const isFree = agent.heed(events);
		if (agent.isOver()) await letGo(sessionId);
		else if (isFree) await sendNext(sessionId);
	}

	async function letGo(id: SessionId): Promise<void> {
		const agent = live.get(id);
		live.delete(id);
		await agent?.close();
	}

	/** In order, and only to an agent that is done. */
	async function sendNext(id: SessionId): Promise<void> {
		const agent = live.get(id);
		const next = agent && !agent.isBusy() ? queues.of(id).take() : undefined;
		if (agent && next) await agent.prompt(next);
	}

	function find(id: SessionId): Result<Found> {
		const rows = deps.store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		if (!row) return err(new AppError('not_found', 'There is no such session: list them with GET /api/v1/sessions.'));
		const agent = agentFor(row, deps.drivable);
		return agent.ok ? ok({ row, agent: agent.value }) : agent;
	}

	/** Its agent, which is started again where it is gone. */
	function liveAgent(id: SessionId): Result<LiveAgent> {
		const found = find(id);
		if (!found.ok) return found;
		const running = live.get(id);
		return running ? ok(running) : takeUp(found.value, { id, parentId: found.value.row.parentId }, false);
	}

	/** The conversation of that session goes on, or a copy of it does, in the session that is named. */
	function takeUp({ row, agent }: Found, target: Pick<Start, 'id' | 'parentId'>, fork: boolean): Result<LiveAgent> {
		const nativeId = row.nativeIds.at(-1)?.id;
		if (!agent.capabilities.canResume || nativeId === undefined) return err(cannotGoOn(row));
		const { projectId, projectPath, model } = row;
		const request = { cwd: projectPath, model, resume: { nativeId, fork } };
		return ok(start({ ...target, agent, project: { id: projectId, path: projectPath }, request }));
	}

	async function onRecord(sessionId: SessionId): Promise<Result<DrivenSession>> {
		await engine.settled();
		return ok({ sessionId });
	}

	async function message(id: SessionId, text: string): Promise<Result<PromptTaken>> {
		const agent = liveAgent(id);
		if (!agent.ok) return agent;
		if (!agent.value.isBusy() && queues.of(id).list().length === 0) {
			await agent.value.prompt({ id: deps.newPromptId(), text });
			return ok({ queued: null });
		}
		const added = queues.of(id).add(text);
		await sendNext(id);
		return added.ok ? ok({ queued: added.value }) : added;
	}

	async function interrupt(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const agent = live.get(id);
		if (!agent?.isBusy()) return err(new AppError('conflict', 'Its agent does nothing right now that could be interrupted.'));
		await agent.interrupt();
		return await onRecord(id);
	}

	async function resume(id: SessionId): Promise<Result<DrivenSession>> {
		const agent = liveAgent(id);
		if (!agent.ok) return agent;
		await sendNext(id);
		return await onRecord(id);
	}

	async function fork(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const child = deps.newSessionId();
		const forked = takeUp(found.value, { id: child, parentId: id }, true);
		return forked.ok ? await onRecord(child) : forked;
	}

	async function end(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		queues.of(id).clear();
		await letGo(id);
		return ok({ sessionId: id });
	}

	return {
		agents: () => listAgents(deps.drivable),
		async create({ agent: name, projectId, cwd = projectId, prompt, ...choices }) {
			const agent = agentNamed(name, deps.drivable);
			if (!agent.ok) return agent;
			const project = await findProjectOf(cwd);
			if (!project.ok) return project;
			const id = deps.newSessionId();
			const started = start({ id, agent: agent.value, project: project.value, request: { cwd, ...choices } });
			if (prompt !== undefined) await started.prompt({ id: deps.newPromptId(), text: prompt });
			return await onRecord(id);
		},
		message: (id, text) => inTurn(id, () => message(id, text)),
		interrupt: (id) => inTurn(id, () => interrupt(id)),
		resume: (id) => inTurn(id, () => resume(id)),
		fork: (id) => inTurn(id, () => fork(id)),
		end: (id) => inTurn(id, () => end(id)),
		describe(row) {
			const agent = agentFor(row, deps.drivable);
			return agent.ok ? { takesPrompts: true } : { takesPrompts: false, why: agent.error.message };
		},
		working: () => [...live.values()].filter((agent) => agent.isBusy()).length,
		async [Symbol.asyncDispose]() {
			offTold();
			for (const id of [...live.keys()]) await letGo(id);
		},
	};
}

function cannotGoOn({ agent }: SessionRow): AppError {
	return new AppError('conflict', `The conversation of this ${agent} session cannot be taken up again: start a new one.`);
}
