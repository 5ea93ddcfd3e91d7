// Starts, prompts, interrupts, resumes and ends driven sessions. Results appear in the feed.
import type { Fact } from '@roost/core/feed/mapper';
import type { ResumeRequest } from '@roost/core/runtime/connection';
import type { InTurn } from '@roost/machine/in-turn';
import type { CreateSession, DrivenSession, Driving, PromptTaken } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { Review } from '@roost/protocol/feed/review';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { SessionLabels } from '../engine/session-labels.ts';
import { promiseResult } from '../record/command.ts';
import type { Projects } from '../record/projects.ts';
import { type LiveAgents, refuseModel } from './live-agents.ts';
import { agentFor, agentNamed, type DrivingBase } from './may-drive.ts';
import type { RefuseOtherWriter } from './other-writer.ts';
import type { PromptQueues, WrittenPrompt } from './prompt-queues.ts';
import { createResumePast, type FindPast, type NamedSession, type Resuming } from './resuming.ts';
import type { ModeSwitch } from './session-controls.ts';
import { ONLY_TERMINALS } from './terminal-mode.ts';

/** For a session that is only observed, the commands return a `conflict`. */
export type DrivenSessions = ReturnType<typeof createDrivenSessions>;

type DrivenSessionsDeps = DrivingBase & {
	defaultAgent: string;
	/** Why an agent cannot be started on this machine; null if it can. */
	whyNotHere?: ((agent: string) => Promise<string | null>) | undefined;
	agents: LiveAgents;
	prompts: PromptQueues;
	resuming: Resuming;
	inTurn: InTurn<SessionId>;
	refuseOtherWriter: RefuseOtherWriter;
	modes: ModeSwitch;
	findPast: FindPast;
	projects: Pick<Projects, 'at' | 'find' | 'folderOf'>;
	rename: SessionLabels['rename'];
	newSessionId: () => SessionId;
};

const ENDED: Fact = { kind: 'session.end', data: { reason: 'other' } };

export function createDrivenSessions(deps: DrivenSessionsDeps) {
	const { engine, agents, prompts, modes, inTurn } = deps;
	const { find, liveAgent } = deps.resuming;

	async function onRecord(sessionId: SessionId): Promise<Result<DrivenSession>> {
		await engine.sessionSettled(sessionId);
		return ok({ sessionId });
	}

	/** Queued while the agent is busy; an exited agent is started again first. */
	async function message(id: SessionId, written: WrittenPrompt): Promise<Result<PromptTaken>> {
		const agent = await liveAgent(id);
		if (!agent.ok) return agent;
		const sent = await agents.send(id, written);
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
			return moved.ok ? await agents.sendNext(id) : moved;
		}
		const handed = await prompts.handOver(id, prompt, 'steer');
		if (handed.ok) await agent.value.steer(chosen);
		return handed;
	}

	async function interrupt(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		const agent = agents.get(id);
		if (!agent?.isBusy()) return err(new AppError('conflict', 'The agent is idle; nothing to interrupt.'));
		await agent.interrupt();
		return await onRecord(id);
	}

	async function resume(id: SessionId): Promise<Result<DrivenSession>> {
		const observed = deps.store.sessions({ id });
		const [row] = observed.ok ? observed.value : [];
		if (row && !row.driven) return await resumeObserved(row);
		const agent = await liveAgent(id);
		if (!agent.ok) return agent;
		await agents.sendNext(id);
		return await onRecord(id);
	}

	/** In a new session that continues its conversation. */
	async function resumeObserved(row: SessionRow): Promise<Result<DrivenSession>> {
		const { id, agent, projectId, nativeIds } = row;
		const nativeId = nativeIds.at(-1)?.id;
		const resumed = nativeId === undefined ? undefined : await resumePast({ projectId, agent }, nativeId);
		// Its conversation is unknown: return the error for observed sessions.
		if (resumed && (resumed.ok || resumed.error.code !== 'not_found')) return resumed;
		const found = find(id);
		return found.ok ? ok({ sessionId: id }) : found;
	}

	async function end(id: SessionId): Promise<Result<DrivenSession>> {
		const found = find(id);
		if (!found.ok) return found;
		for (const prompt of prompts.list(id)) await prompts.cancel(id, prompt.id, 'the session was ended');
		const wasInTerminal = modes.whyNot(id) !== undefined;
		await modes.leaveTerminal(id);
		await agents.end(id);
		const session = engine.session(id);
		if (!session.ok) return session;
		// Prompts that its agent has not reported are not sent again after a resume.
		const reason = 'the session was ended before its agent reported it';
		for (const prompt of session.value.prompts().sent) await prompts.note(id, { type: 'arrive', id: prompt.id, reason });
		// A running agent reports its end itself, in a terminal a little later.
		const isReported = wasInTerminal || session.value.row().status === 'ended';
		const noted = isReported ? ok(undefined) : await session.value.submit({ type: 'noted', fact: ENDED, at: deps.now() });
		return noted.ok ? ok({ sessionId: id }) : noted;
	}

	async function create(request: NamedSession, resume?: ResumeRequest, parentId?: SessionId): Promise<Result<DrivenSession>> {
		const { agent: name, projectId, mode = 'sdk', recording, prompt, model, permissionMode, allowedTools, maxTurns } = request;
		if (recording && mode !== 'pty') return err(new AppError('bad_request', ONLY_TERMINALS));
		const agent = agentNamed(name, deps.drivable);
		if (!agent.ok) return agent;
		const notHere = await deps.whyNotHere?.(name);
		if (notHere) return err(new AppError('cannot_start', notHere));
		const folder = request.cwd === undefined ? deps.projects.folderOf(projectId) : ok(request.cwd);
		if (!folder.ok) return folder;
		const cwd = folder.value;
		const project = await deps.projects.at(cwd);
		if (!project.ok) return project;
		const id = deps.newSessionId();
		promiseResult({ sessionId: id });
		const drive = { mode, cwd, model, permission_mode: permissionMode, allowed_tools: allowedTools, max_turns: maxTurns };
		if (mode === 'pty') {
			if (maxTurns !== undefined)
				return err(new AppError('bad_request', 'A session in a terminal has no turn limit: leave out maxTurns.'));
			if (prompt !== undefined) return err(new AppError('bad_request', 'A session in a terminal takes no prompt: leave it out.'));
			const begun = await modes.begin({ id, agent: name, project: project.value, drive, recording });
			return begun.ok ? await onRecord(id) : begun;
		}
		const started = await agents.start({ id, parentId, agent: agent.value, project: project.value, drive, resume });
		if (!started.ok) return started;
		const known = await refuseModel(started.value, name, model);
		if (!known.ok) {
			await end(id);
			return known;
		}
		const sent = prompt === undefined ? ok(undefined) : await agents.send(id, { text: prompt });
		return sent.ok ? await onRecord(id) : sent;
	}

	const resumePast = createResumePast({
		...deps,
		start: create,
		continueIn: (id, prompt) =>
			inTurn<Result<unknown>>(id, () => (prompt === undefined ? resume(id) : message(id, { text: prompt }))),
	});

	return {
		create({ resume: past, agent = deps.defaultAgent, ...rest }: CreateSession): Promise<Result<DrivenSession>> {
			const request = { ...rest, agent };
			return past ? resumePast(request, past.nativeId) : create(request);
		},
		message: (id: SessionId, text: string, review?: Review) => inTurn(id, () => message(id, { text, review })),
		sendNow: (id: SessionId, prompt: PromptId) => inTurn(id, () => sendNow(id, prompt)),
		// Not in turn: it must also stop an agent that does not accept a prompt.
		interrupt,
		resume: (id: SessionId) => inTurn(id, () => resume(id)),
		end: (id: SessionId) => inTurn(id, () => end(id)),
		describe(row: SessionRow): Driving {
			const agent = agentFor(row, deps.drivable);
			const why = modes.whyNot(row.id);
			if (why !== undefined) return { takesPrompts: false, why };
			return agent.ok ? { takesPrompts: true } : { takesPrompts: false, why: agent.error.message };
		},
		working: agents.working,
		async [Symbol.asyncDispose]() {
			modes[Symbol.dispose]();
			await agents[Symbol.asyncDispose]();
		},
	};
}
