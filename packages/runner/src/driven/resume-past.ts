// A past conversation is resumed as a session that Roost drives, whether Roost observed it before or never saw it.
import type { ResumeRequest } from '@roost/core/runtime/connection';
import { createInTurn } from '@roost/machine/in-turn';
import type { CreateSession, DrivenSession } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import type { Projects } from '../record/projects.ts';
import type { RefuseOtherWriter } from './other-writer.ts';

/** Whose it is, and where it goes on; refuses one that cannot. */
export type FindPast = (nativeId: string) => Promise<Result<Past>>;

type Past = { agent: string; nativeId: string; cwd: string; title: string };

/** A request that says whose session it is to be. */
export type NamedSession = CreateSession & { agent: string };

export type ResumePast = (request: NamedSession, nativeId: string) => Promise<Result<DrivenSession>>;

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
