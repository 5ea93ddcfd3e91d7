// All live sessions of one runner: opens them (from the log, where they have one), answers their asks, tells what happens.

import type { Fact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { SessionPolicy } from '@roost/core/session/policy';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, AskVerdict, Principal } from '@roost/protocol/ask';
import { type AskId, type ProjectId, type RunnerId, type SessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import { rebuild } from '../record/rebuild.ts';
import { type AskBook, createAskBook } from './ask-book.ts';
import { createCommit } from './commit.ts';
import type { CommitPace } from './commit-pace.ts';
import type { Origin } from './effects.ts';
import { createLiveSession, type LiveSession, type Update } from './live-session.ts';
import { createSessionHolders, type SessionHolders } from './session-holders.ts';
import type { Summarise } from './summaries.ts';
import { createTranscriptReads } from './transcript-reads.ts';
import type { Count } from './usage-counts.ts';

export type Engine = AsyncDisposable & {
	/** A session that has a log goes on where it ended. */
	open(request: OpenSession): Result<LiveSession>;
	/** A session of which nothing is on record yet, and for which nobody reports yet. */
	begin(place: Omit<Place, 'parentId' | 'driven'>): Result<LiveSession>;
	/** Takes up the asks that an earlier runner left open: each waits a moment for its agent to come back, and is cancelled else. */
	recover(warn: (problem: string) => void): void;
	answer(askId: AskId, verdict: AskVerdict, principal: Principal): Promise<Result<void>>;
	/** A session that is on record, taken up from its log where it is not at hand. */
	session(id: SessionId): Result<LiveSession>;
	/** Something Roost has to say of a session; false where there is none. */
	note(id: SessionId, fact: Fact): boolean;
	/** All asks of this runner, by id. */
	readonly asks: AskBook;
	/** Who may write to which session. */
	readonly holders: SessionHolders;
	onUpdate(handler: (told: Update) => void): () => void;
	/** Resolves when nothing is left to handle for this session, whatever the others do. */
	sessionSettled(id: SessionId): Promise<void>;
	/** Resolves when nothing is left to handle for any session: at the start of a runner and at its end. */
	settled(): Promise<void>;
};

type Place = {
	id: SessionId;
	agent: string;
	project: { id: ProjectId; path: string };
	parentId?: SessionId;
	driven?: boolean | undefined;
};

export type OpenSession = Omit<Place, 'agent' | 'driven'> & Origin;

export type EngineDeps = {
	store: Store;
	runnerId: RunnerId;
	now: () => number;
	hash: (text: string) => string;
	newNonce: () => string;
	rules: () => readonly Rule[];
	builtinDenies: readonly Rule[];
	ownFiles?: SessionPolicy['ownFiles'];
	askTimeoutMs: number;
	summarise: Summarise;
	count: Count;
	timers: Timers;
	pace: CommitPace;
	/** What the agent of a session reports, before anything is decided upon it. */
	heard: (id: SessionId, event: RuntimeEvent, runtime: Runtime) => void;
};

/** An agent that lost its runner asks again several times within this time. */
const COMEBACK_MS = 5_000;

/** How many sessions are kept at hand; a runner lives for weeks. */
const MAX_LIVE = 100;

export function createEngine(deps: EngineDeps): Engine {
	const sessions = new Map<SessionId, LiveSession>();
	const handlers = createListeners<[Update]>();
	const redactor = createRedactor(deps.hash);
	const comebacks = new Set<() => void>();
	const asks = createAskBook({ newNonce: deps.newNonce, hash: deps.hash, load: loadAsk });
	const transcripts = createTranscriptReads({
		summarise: deps.summarise,
		count: deps.count,
		sessionOf: (id) => {
			const row = sessions.get(id)?.row();
			return { since: row?.startedAt ?? 0, nativeIds: row?.nativeIds.map((native) => native.id) ?? [] };
		},
		note: (id, fact) => sessions.get(id)?.post({ type: 'noted', fact, at: deps.now() }),
	});

	function loadAsk(id: AskId): AskRow | undefined {
		const rows = deps.store.asks({ id });
		return rows.ok ? rows.value[0] : undefined;
	}

	/** Without an origin: no launch reports for it yet. */
	function start(place: Place, origin?: Origin): Result<LiveSession> {
		const { id, agent, project, parentId, driven } = place;
		const stream = sessionStream(id);
		const rebuilt = rebuild(deps.store, id, stream);
		if (!rebuilt.ok) return rebuilt;
		for (const askId of rebuilt.value.state.asks.keys()) asks.recall(askId);
		const session = createLiveSession({
			rebuilt: rebuilt.value,
			place: { agent, projectId: project.id, projectPath: project.path, parentId, driven },
			asks,
			pace: deps.pace,
			commit: createCommit({
				store: deps.store,
				place: { stream, sessionId: id, projectId: project.id, runnerId: deps.runnerId },
				now: deps.now,
			}),
			origin,
			policy: (from) => policyFor(place, from),
			summarise: (path, isCounted) => transcripts.summarise(id, { path, agent }, isCounted),
			count: (path) => transcripts.count(id, { path, agent }),
			tell: (told) => {
				for (const error of handlers.tell(told)) warnOfFailure('A listener of the engine', error);
			},
			heard: (event, runtime) => deps.heard(id, event, runtime),
			now: deps.now,
		});
		sessions.set(id, session);
		forgetQuiet(id);
		if (session.leftOpen.length > 0) awaitComeback(session);
		return ok(session);
	}

	/** Those not heard of for the longest time first; whoever comes back is rebuilt from the log. */
	function forgetQuiet(newcomer: SessionId): void {
		for (const [id, session] of sessions) {
			if (sessions.size <= MAX_LIVE) return;
			if (id !== newcomer && session.isQuiet() && !transcripts.isReading(id)) sessions.delete(id);
		}
	}

	/** The last to be forgotten. */
	function touch(session: LiveSession): LiveSession {
		sessions.delete(session.id);
		sessions.set(session.id, session);
		return session;
	}

	function awaitComeback(session: LiveSession): void {
		const cancel = deps.timers.after(COMEBACK_MS, () => {
			comebacks.delete(cancel);
			session.cancelAbandoned();
		});
		comebacks.add(cancel);
	}

	function recover(warn: (problem: string) => void): void {
		const pending = deps.store.asks({ state: 'pending' });
		if (!pending.ok) warn(pending.error.message);
		for (const id of new Set(pending.ok ? pending.value.map((row) => row.sessionId) : [])) {
			const taken = sessionOf(id);
			if (!taken.ok) warn(`the asks of session ${id} cannot be taken up: ${taken.error.message}`);
		}
	}

	function sessionOf(id: SessionId): Result<LiveSession> {
		const live = sessions.get(id);
		return live ? ok(touch(live)) : takeUp(id);
	}

	function takeUp(id: SessionId): Result<LiveSession> {
		const rows = deps.store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		if (!row) return err(new AppError('not_found', 'Session not found. Run "roost sessions" to list sessions.'));
		const { agent, projectId, projectPath, parentId, driven } = row;
		return start({ id, agent, project: { id: projectId, path: projectPath }, parentId, driven });
	}

	function policyFor({ id, agent, project, driven }: Place, origin: Origin | undefined): SessionPolicy {
		return {
			rules: deps.rules(),
			builtinDenies: deps.builtinDenies,
			ownFiles: deps.ownFiles,
			scope: { sessionId: id, projectId: project.id },
			gate: origin?.gate ?? 'observe',
			capabilities: origin?.runtime.capabilities ?? { agent, questionHook: null, takesPrompts: driven === true },
			askTimeoutMs: deps.askTimeoutMs,
			redactor,
		};
	}

	async function sessionSettled(id: SessionId): Promise<void> {
		do {
			await sessions.get(id)?.flush();
		} while (await transcripts.settled(id));
	}

	async function settled(): Promise<void> {
		await Promise.all([...sessions.keys()].map(sessionSettled));
	}

	return {
		open(request) {
			const live = sessions.get(request.id);
			if (live) return ok(touch(live));
			const { agent, takesPrompts } = request.runtime.capabilities;
			return start({ ...request, agent, driven: takesPrompts || undefined }, request);
		},
		begin: (place) => start({ ...place, driven: true }),
		recover,
		session: sessionOf,
		async answer(askId, verdict, principal) {
			const session = [...sessions.values()].find((candidate) => askId.startsWith(`${candidate.id}.`));
			if (!session) return err(new AppError('not_found', `There is no ask ${askId}: run "roost asks" to see what waits.`));
			return session.answer(askId, verdict, principal);
		},
		note(id, fact) {
			const session = sessionOf(id);
			if (session.ok) session.value.post({ type: 'noted', fact, at: deps.now() });
			return session.ok;
		},
		asks,
		holders: createSessionHolders(deps.store),
		onUpdate: handlers.add,
		sessionSettled,
		settled,
		async [Symbol.asyncDispose]() {
			for (const cancel of comebacks) cancel();
			await settled();
		},
	};
}
