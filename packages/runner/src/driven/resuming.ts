// Finds sessions that can be driven, and resumes those whose agents have exited, and past conversations.
import type { DrivableAgent, ResumeRequest } from '@roost/core/runtime/connection';
import { createInTurn } from '@roost/machine/in-turn';
import type { CreateSession, DrivenSession } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Projects } from '../record/projects.ts';
import type { LiveAgent, LiveAgents } from './live-agents.ts';
import { agentFor, type DrivingBase } from './may-drive.ts';
import { type RefuseOtherWriter, refuseOtherOf } from './other-writer.ts';
import type { ModeSwitch } from './session-controls.ts';

export type Resuming = ReturnType<typeof createResuming>;

type Found = { row: SessionRow; agent: DrivableAgent };

export function createResuming(
	deps: Pick<DrivingBase, 'drivable' | 'engine' | 'store'> & {
		agents: LiveAgents;
		modes: Pick<ModeSwitch, 'whyNot'>;
		refuseOtherWriter: RefuseOtherWriter;
	},
) {
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

	/** Starts the agent again if it has exited. */
	async function liveAgent(id: SessionId): Promise<Result<LiveAgent>> {
		const found = find(id);
		if (!found.ok) return found;
		// Asks the terminal, because its agent may not have reported yet.
		const inTerminal = agents.get(id) ? undefined : modes.whyNot(id);
		if (inTerminal !== undefined) return err(new AppError('conflict', inTerminal));
		const alone = await refuseOther(found.value.row);
		if (!alone.ok) return alone;
		const running = agents.get(id);
		if (running) return ok(running);
		const { parentId, drive } = found.value.row;
		const copyOf = drive?.copy_of && { nativeId: drive.copy_of.native_id, upTo: drive.copy_of.up_to };
		return await startAgain(found.value, { id, parentId }, { fork: false, ifMissing: { copyOf } });
	}

	/** Continues the conversation, or a copy of it, in the target session. */
	async function startAgain(
		{ row, agent }: Found,
		target: { id: SessionId; parentId?: SessionId | undefined },
		how: Omit<ResumeRequest, 'nativeId'>,
	): Promise<Result<LiveAgent>> {
		const nativeId = row.nativeIds.at(-1)?.id;
		if (!agent.capabilities.canResume || nativeId === undefined) {
			const problem = `The conversation of this ${row.agent} session cannot be resumed. Start a new one.`;
			return err(new AppError('conflict', problem));
		}
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
		/** A copy of its conversation in another session; the original is only read. */
		copy: (found: Found, into: SessionId, upTo: string | undefined) =>
			startAgain(found, { id: into, parentId: found.row.id }, { fork: true, upTo, ifMissing: {} }),
	};
}

export function driveOf({ drive, projectPath, model }: SessionRow): Drive {
	return drive ?? { mode: 'sdk', cwd: projectPath, model };
}

/** Fails if the conversation cannot be resumed. */
export type FindPast = (nativeId: string) => Promise<Result<Past>>;

type Past = { agent: string; nativeId: string; cwd: string; title: string };

export type NamedSession = CreateSession & { agent: string };

/** Resumes a past conversation as a driven session, whether Roost observed it or not. */
export function createResumePast(deps: {
	store: Pick<Store, 'sessions'>;
	findPast: FindPast;
	projects: Pick<Projects, 'at' | 'find'>;
	refuseOtherWriter: RefuseOtherWriter;
	/** In a new session, whose parent is the session that observed the conversation. */
	start: (request: NamedSession, resume: ResumeRequest, parentId: SessionId | undefined) => Promise<Result<DrivenSession>>;
	rename: (id: SessionId, title: string) => Promise<Result<unknown>>;
	/** In the session that it is on record as. */
	continueIn: (id: SessionId, prompt: string | undefined) => Promise<Result<unknown>>;
}) {
	// Two requests at once would create two writers: the second one finds the session of the first.
	const inTurn = createInTurn<string>();

	async function resume(request: NamedSession, nativeId: string): Promise<Result<DrivenSession>> {
		if (request.cwd !== undefined) return err(new AppError('bad_request', STAYS));
		const known = deps.store.sessions({ nativeId });
		if (!known.ok) return known;
		const session = known.value.find(({ driven }) => driven);
		if (session) {
			const continued = await deps.continueIn(session.id, request.prompt);
			return continued.ok ? ok({ sessionId: session.id }) : continued;
		}
		const past = await find(request, nativeId);
		if (!past.ok) return past;
		const [observed] = known.value;
		const how = { nativeId, fork: false, unrecorded: true };
		const started = await deps.start({ ...request, cwd: past.value.cwd }, how, observed?.id);
		const title = observed?.title || past.value.title;
		if (!started.ok || title === '') return started;
		// Keeps its first title.
		const named = await deps.rename(started.value.sessionId, title);
		return named.ok ? started : named;
	}

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

	return (request: NamedSession, nativeId: string) => inTurn(nativeId, () => resume(request, nativeId));
}

const STAYS = 'A past session resumes in its own folder: leave out cwd.';
const OTHER_PROJECT = 'This past session belongs to another project. Use that project.';
