// All live sessions of one runner: opens them (from the log if they have one), answers their asks, publishes updates.

import type { Fact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { SessionPolicy } from '@roost/core/session/policy';
import type { SessionView } from '@roost/core/views/session-view';
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
	/** A session with a log continues where it ended. */
	open(request: OpenSession): Result<LiveSession>;
	/** A new session without a record or a reporting agent. */
	begin(place: Omit<Place, 'parentId' | 'driven'>): Result<LiveSession>;
	/** Loads the asks that an earlier runner left open: each is cancelled unless its agent reconnects within a few seconds. */
	recover(warn: (problem: string) => void): void;
	answer(askId: AskId, verdict: AskVerdict, principal: Principal): Promise<Result<void>>;
	/** A session on record, loaded from its log if it is not live. */
	session(id: SessionId): Result<LiveSession>;
	/** A copy of the view of a live session, of exactly its stored events; undefined where it is not live, or cannot be stored. */
	viewOf(id: SessionId): Promise<SessionView | undefined>;
	/** Records a fact of Roost's own; false if there is no such session. */
	note(id: SessionId, fact: Fact, at?: number): boolean;
	/** All asks of this runner, by id. */
	readonly asks: AskBook;
	/** Who may write to which session. */
	readonly holders: SessionHolders;
	onUpdate(handler: (update: Update) => void): () => void;
	/** Resolves when this session has handled everything, independent of the others. */
	sessionSettled(id: SessionId): Promise<void>;
	/** Resolves when every session has handled everything: for the start and the end of a runner. */
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
	/** Called with each report of an agent, before it is decided. */
	received: (id: SessionId, event: RuntimeEvent, runtime: Runtime) => void;
};

/** An agent that lost its runner retries several times within this time. */
const COMEBACK_MS = 5_000;

/** How long a commit may take before a view is folded from the log instead. */
const SAVED_MS = 1_000;

/** Most live sessions in memory; a runner runs for weeks. */
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

	/** Without an origin, no launch reports for it yet. */
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
			report: (update) => {
				for (const error of handlers.emit(update)) warnOfFailure('A listener of the engine', error);
			},
			received: (event, runtime) => deps.received(id, event, runtime),
			now: deps.now,
		});
		sessions.set(id, session);
		forgetQuiet(id);
		if (session.leftOpen.length > 0) awaitComeback(session);
		return ok(session);
	}

	/** Least recently used first; a session that is needed again is rebuilt from the log. */
	function forgetQuiet(newcomer: SessionId): void {
		for (const [id, session] of sessions) {
			if (sessions.size <= MAX_LIVE) return;
			if (id !== newcomer && session.isQuiet() && !transcripts.isReading(id)) sessions.delete(id);
		}
	}

	/** Marks it as the most recently used. */
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
			if (!taken.ok) warn(`cannot load the asks of session ${id}: ${taken.error.message}`);
		}
	}

	function sessionOf(id: SessionId): Result<LiveSession> {
		const live = sessions.get(id);
		return live ? ok(touch(live)) : load(id);
	}

	function load(id: SessionId): Result<LiveSession> {
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
			capabilities: origin?.runtime.capabilities ?? {
				agent,
				questionHook: null,
				allowHook: 'PermissionRequest',
				takesPrompts: driven === true,
			},
			askTimeoutMs: deps.askTimeoutMs,
			redactor,
		};
	}

	/** The view has events before they are stored; it has none of the next batch while the update of one is published. */
	async function viewOf(id: SessionId): Promise<SessionView | undefined> {
		const copied = copyView(id);
		if (copied || !sessions.has(id)) return copied;
		const saved = Promise.withResolvers<SessionView | undefined>();
		const end = handlers.add(({ sessionId }) => {
			if (sessionId === id) saved.resolve(copyView(id));
		});
		const giveUp = deps.timers.after(SAVED_MS, () => saved.resolve(undefined));
		const view = await saved.promise;
		end();
		giveUp();
		return view;
	}

	function copyView(id: SessionId): SessionView | undefined {
		const view = sessions.get(id)?.view();
		const stored = deps.store.lastOffset(sessionStream(id));
		return view && stored.ok && view.summary.events === stored.value ? structuredClone(view) : undefined;
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
		viewOf,
		async answer(askId, verdict, principal) {
			const session = [...sessions.values()].find((candidate) => askId.startsWith(`${candidate.id}.`));
			if (!session)
				return err(new AppError('not_found', `Request ${askId} not found. Run "roost asks" to list pending requests.`));
			return session.answer(askId, verdict, principal);
		},
		note(id, fact, at = deps.now()) {
			const session = sessionOf(id);
			if (session.ok) session.value.post({ type: 'noted', fact, at });
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
