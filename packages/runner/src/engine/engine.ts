// All live sessions of one runner: opens them (from the log, where they have one), answers their asks, tells what happens.
import type { Fact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { SessionPolicy } from '@roost/core/session/policy';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, Principal, Verdict } from '@roost/protocol/ask';
import { type AskId, type ProjectId, type RunnerId, type SessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import { type AskBook, createAskBook } from '../asks/ask-book.ts';
import { createCommit } from './commit.ts';
import { createLiveSession, type LiveSession, type Told } from './live-session.ts';
import { rebuild } from './rebuild.ts';
import type { Summarise } from './summaries.ts';

export type Engine = AsyncDisposable & {
	/** A session that has a log goes on where it ended. */
	open(request: OpenSession): Result<LiveSession>;
	answer(askId: AskId, verdict: Verdict, principal: Principal): Promise<Result<void>>;
	/** Something Roost has to say of a live session; false where it is not live. */
	note(id: SessionId, fact: Fact): boolean;
	/** All asks of this runner, by id. */
	readonly asks: AskBook;
	onTold(handler: (told: Told) => void): () => void;
	/** Resolves when nothing is left to handle. */
	settled(): Promise<void>;
};

export type OpenSession = {
	id: SessionId;
	runtime: Runtime;
	project: { id: ProjectId; path: string };
	gate: GateMode;
	parentId?: SessionId;
};

export type EngineDeps = {
	store: Store;
	runnerId: RunnerId;
	now: () => number;
	hash: (text: string) => string;
	newNonce: () => string;
	rules: () => readonly Rule[];
	builtinDenies: readonly Rule[];
	askTimeoutMs: number;
	summarise: Summarise;
};

export function createEngine(deps: EngineDeps): Engine {
	const sessions = new Map<SessionId, LiveSession>();
	const handlers = new Set<(told: Told) => void>();
	const redactor = createRedactor(deps.hash);
	const chores = new Set<Promise<void>>();
	const asks = createAskBook({ newNonce: deps.newNonce, hash: deps.hash, load: loadAsk });

	function loadAsk(id: AskId): AskRow | undefined {
		const rows = deps.store.asks({ id });
		return rows.ok ? rows.value[0] : undefined;
	}

	function start(request: OpenSession): Result<LiveSession> {
		const stream = sessionStream(request.id);
		const rebuilt = rebuild(deps.store, request.id, stream);
		if (!rebuilt.ok) return rebuilt;
		const place = {
			agent: request.runtime.capabilities.agent,
			projectId: request.project.id,
			projectPath: request.project.path,
			parentId: request.parentId,
		};
		const session = createLiveSession({
			rebuilt: rebuilt.value,
			place,
			asks,
			commit: createCommit({
				store: deps.store,
				redactor,
				place: { stream, sessionId: request.id, projectId: request.project.id, runnerId: deps.runnerId },
				now: deps.now,
			}),
			policy: () => policyFor(request),
			effects: { runtime: request.runtime, gate: request.gate, summarise: (path) => summarise(request.id, path) },
			tell: (told) => {
				for (const handler of handlers) handler(told);
			},
			now: deps.now,
		});
		cancelOrphans(
			session,
			[...rebuilt.value.state.asks.values()].map((open) => open.requestId),
		);
		sessions.set(request.id, session);
		return ok(session);
	}

	/** Asks that waited on a connection which died with an earlier runner. */
	function cancelOrphans(session: LiveSession, requestIds: readonly string[]): void {
		const decision = { type: 'passthrough', source: 'system', reason: 'the runner ended while this waited' } as const;
		for (const requestId of requestIds) session.post({ type: 'settled', requestId, decision, at: deps.now() });
	}

	function policyFor(request: OpenSession): SessionPolicy {
		return {
			rules: deps.rules(),
			builtinDenies: deps.builtinDenies,
			scope: { sessionId: request.id, projectId: request.project.id },
			gate: request.gate,
			capabilities: request.runtime.capabilities,
			askTimeoutMs: deps.askTimeoutMs,
		};
	}

	function summarise(id: SessionId, transcriptPath: string): void {
		const chore = deps.summarise(transcriptPath).then((facts) => {
			for (const fact of facts) sessions.get(id)?.post({ type: 'noted', fact, at: deps.now() });
		});
		chores.add(chore);
		void chore.finally(() => chores.delete(chore));
	}

	async function settled(): Promise<void> {
		do {
			await Promise.all(chores);
			await Promise.all([...sessions.values()].map((session) => session.flush()));
		} while (chores.size > 0);
	}

	return {
		open(request) {
			const live = sessions.get(request.id);
			return live ? ok(live) : start(request);
		},
		async answer(askId, verdict, principal) {
			const session = [...sessions.values()].find((candidate) => askId.startsWith(`${candidate.id}.`));
			if (!session) return err(new AppError('not_found', `There is no ask ${askId}: run "roost asks" to see what waits.`));
			return session.answer(askId, verdict, principal);
		},
		note(id, fact) {
			const session = sessions.get(id);
			session?.post({ type: 'noted', fact, at: deps.now() });
			return session !== undefined;
		},
		asks,
		onTold(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		settled,
		[Symbol.asyncDispose]: settled,
	};
}
