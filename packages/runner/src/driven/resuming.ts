// Sessions that may be driven: found on record, and taken up again where their agents are gone.
import type { DrivableAgent, ResumeRequest } from '@roost/core/runtime/connection';
import { createInTurn } from '@roost/machine/in-turn';
import type { CreateSession, DrivenSession } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { Projects } from '../record/projects.ts';
import type { LiveAgent, LiveAgents } from './live-agents.ts';
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
type Found = { row: SessionRow; agent: DrivableAgent };

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

/** Whose it is, and where it goes on; refuses one that cannot. */
export type FindPast = (nativeId: string) => Promise<Result<Past>>;

type Past = { agent: string; nativeId: string; cwd: string; title: string };

/** A request that says whose session it is to be. */
export type NamedSession = CreateSession & { agent: string };

type ResumePast = (request: NamedSession, nativeId: string) => Promise<Result<DrivenSession>>;

export function createResumePast(deps: {
	store: Pick<Store, 'sessions'>;
	findPast: FindPast;
	projects: Pick<Projects, 'at' | 'find'>;
	refuseOtherWriter: RefuseOtherWriter;
	/** In a new session, linked to the observed one that had the conversation before. */
	start: (request: NamedSession, resume: ResumeRequest, parentId: SessionId | undefined) => Promise<Result<DrivenSession>>;
	/** What a session is called in lists. */
	rename: (id: SessionId, title: string) => Promise<Result<unknown>>;
	/** In the session that it is on record as. */
	goOn: (id: SessionId, prompt: string | undefined) => Promise<Result<unknown>>;
}): ResumePast {
	// Two who ask at once would make two writers of one conversation: the second finds what the first began.
	const inTurn = createInTurn<string>();

	async function resume(request: NamedSession, nativeId: string): Promise<Result<DrivenSession>> {
		if (request.cwd !== undefined) return err(new AppError('bad_request', STAYS));
		const known = deps.store.sessions({ nativeId });
		if (!known.ok) return known;
		const session = known.value.find(({ driven }) => driven);
		if (session) {
			const gone = await deps.goOn(session.id, request.prompt);
			return gone.ok ? ok({ sessionId: session.id }) : gone;
		}
		const past = await find(request, nativeId);
		if (!past.ok) return past;
		const [observed] = known.value;
		const how = { nativeId, fork: false, unrecorded: true };
		const started = await deps.start({ ...request, cwd: past.value.cwd }, how, observed?.id);
		const title = observed?.title || past.value.title;
		if (!started.ok || title === '') return started;
		// It is known by what it began with, not by what it is asked next.
		const named = await deps.rename(started.value.sessionId, title);
		return named.ok ? started : named;
	}

	/** What was said and where, if it may go on there. */
	async function find({ agent, projectId }: NamedSession, nativeId: string): Promise<Result<Past>> {
		const alone = await deps.refuseOtherWriter({ agent, nativeId });
		if (!alone.ok) return alone;
		const past = await deps.findPast(nativeId);
		if (!past.ok) return past;
		if (past.value.agent !== agent) return err(new AppError('bad_request', `This is a past session of ${past.value.agent}.`));
		const [named, own] = await Promise.all([deps.projects.find(projectId), deps.projects.at(past.value.cwd)]);
		if (!named.ok) return named;
		if (!own.ok) return own;
		return named.value.id === own.value.id ? past : err(new AppError('bad_request', OTHER_PROJECT));
	}

	return (request, nativeId) => inTurn(nativeId, () => resume(request, nativeId));
}

const STAYS = 'A past session goes on in the folder where it was: leave out cwd.';
const OTHER_PROJECT = 'This past session belongs to another project: name that one.';
