// One live session: its inbox is the only writer. Each input is stepped, committed, performed and published, in that order.

import { plural } from '@roost/core/display/plural';
import { isTransient } from '@roost/core/feed/filter';
import { silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { SessionPolicy } from '@roost/core/session/policy';
import type { Prompts } from '@roost/core/session/prompts';
import { type Effect, type SessionInput, type StepResult, step, stepAfterBug } from '@roost/core/session/step';
import { toSessionRow } from '@roost/core/views/session-row';
import { foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { warnOfFailure } from '@roost/machine/listeners';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, AskVerdict, Principal } from '@roost/protocol/ask';
import type { FeedData, FeedEvent } from '@roost/protocol/feed/event';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { AskId, SessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { type Command, currentCommand, currentProof } from '../record/command.ts';
import type { Rebuilt } from '../record/rebuild.ts';
import type { AskBook } from './ask-book.ts';
import type { Commit } from './commit.ts';
import type { CommitPace } from './commit-pace.ts';
import { type EffectDeps, isImmediate, type Origin, perform } from './effects.ts';
import { createInbox, type ItemHaste } from './inbox.ts';

export type LiveSession = {
	readonly id: SessionId;
	/** An event or a settlement from the agent's runtime, and the launch it came from. */
	post(input: SessionInput, origin?: Origin): void;
	/** Requests with asks that an earlier runner left open. */
	readonly leftOpen: readonly string[];
	/** Closes the asks of an earlier runner that no agent has repeated. */
	cancelAbandoned(): void;
	answer(askId: AskId, verdict: AskVerdict, principal: Principal): Promise<Result<void>>;
	/** Resolves when its outcome is on disk; an error says why it had no effect. */
	submit(input: SessionInput): Promise<Result<void>>;
	/** Prompts not yet delivered to its agent, unredacted. */
	prompts(): Prompts;
	/** A model has answered, so its agent keeps the conversation. */
	hasAnswered(): boolean;
	/** Its agent has stopped and waits for background tasks: its run continues with them. */
	awaitsTasks(): boolean;
	row(): SessionRow;
	/** With events that are not saved yet. It changes with every event. */
	view(): SessionView;
	/** Nothing is pending or unsaved: it may be dropped, and rebuilt from its log. */
	isQuiet(): boolean;
	/** Resolves when everything posted so far is handled, and saved if the disk works. */
	flush(): Promise<void>;
};

/** The outcome of a batch of inputs, published after the commit. */
export type Update = { sessionId: SessionId; events: FeedEvent[]; entries: LogEntry[]; asks: AskRow[] };

export type LiveSessionDeps = {
	rebuilt: Rebuilt;
	place: Parameters<typeof toSessionRow>[1];
	commit: Commit;
	pace: CommitPace;
	asks: AskBook;
	/** The launch it was opened for; undefined if only its asks are left. */
	origin?: Origin;
	policy: (origin: Origin | undefined) => SessionPolicy;
	summarise: EffectDeps['summarise'];
	count: EffectDeps['count'];
	report: (update: Update) => void;
	/** Called with each report of an agent, before it is decided. */
	received: (event: RuntimeEvent, runtime: Runtime) => void;
	now: () => number;
};

/** Without an input: retry saving. */
type Posted = { input?: SessionInput; origin?: Origin; command?: Command | undefined; done?: (result: Result<void>) => void };
type Stepped = Posted & { result: StepResult };

const RETRY_MS = 1_000;

export function createLiveSession(deps: LiveSessionDeps): LiveSession {
	const { state, view } = deps.rebuilt;
	let degraded = false;
	let missed = 0;
	let latest = deps.origin;
	/** Requests that an agent waits for, until they are answered or settled. */
	const waiting = new Map<string, Origin>();
	const effectDeps: EffectDeps = {
		waiterOf: (requestId) => waiting.get(requestId),
		summarise: deps.summarise,
		count: deps.count,
	};
	const inbox = createInbox<Stepped>({ handle, failed: lose, pace: deps.pace });
	const leftOpen = [...state.asks.values()].map((open) => open.requestId);

	/** False when the inbox is full. Effects that need no disk are performed at once. */
	function take(posted: Posted): boolean {
		if (inbox.isFull()) return false;
		const { input, origin = latest } = posted;
		const result = input ? stepSafely(input, origin) : NOTHING;
		inbox.post({ ...posted, result }, hasteOf(posted, result, deps.place.driven === true));
		for (const effect of result.effects.filter(isImmediate)) carryOut(effect, true);
		return true;
	}

	async function handle(batch: Stepped[]): Promise<void> {
		// Immediate replies of this turn go first.
		await Promise.resolve();
		const results = batch.map(({ result }) => result);
		const effects = results.flatMap((result) => result.effects);
		const events = results.flatMap((result) => result.events);
		const asks = asTheyEnded(results.flatMap((result) => result.asks).map(deps.asks.apply));
		// A rejected input has no result.
		const commands = batch.flatMap(({ command, result }) => (command && !result.refused ? [command] : []));
		const receipts = commands.map((command) => command.receipt(deps.now()));
		const saved = await deps.commit.save({ events, asks, receipts, row: rowAfter });
		if (!saved.error) for (const command of commands) command.saved();
		deps.asks.show(asks);
		missed += saved.lost;
		for (const effect of effects.filter((effect) => !isImmediate(effect))) carryOut(effect, !saved.error);
		for (const { input, origin } of batch) if (input?.type === 'settled') forget(input.requestId, origin);

		deps.report({ sessionId: state.sessionId, events: saved.visible, entries: saved.entries, asks: saved.asks });
		for (const [index, posted] of batch.entries()) posted.done?.(outcome(results[index], saved.error));
		noteHealth(saved.error);
	}

	/** A batch that could not be handled: callers get an error, and the record notes the gap. */
	function lose(cause: unknown, batch: Stepped[]): void {
		warnOfFailure('A session', cause);
		const error = new AppError('internal', 'The runner could not process this. See its log.');
		missed += batch.reduce((sum, { result }) => sum + result.events.length, 0);
		for (const { result, done } of batch) {
			for (const effect of result.effects) if (effect.type === 'reply') carryOut(effect, false);
			done?.(err(error));
		}
	}

	/** Each request gets one reply. */
	function carryOut(effect: Effect, saved: boolean): void {
		if (perform(effect, effectDeps, saved)) take({ input: { type: 'noted', fact: WITHHELD, at: deps.now() } });
		if (effect.type === 'reply') waiting.delete(effect.requestId);
	}

	/** Another launch may wait for the same request by now. */
	function forget(requestId: string, origin: Origin | undefined): void {
		if (waiting.get(requestId) === origin) waiting.delete(requestId);
	}

	/** A bug in one step must not end the session. */
	function stepSafely(input: SessionInput, origin: Origin | undefined): StepResult {
		try {
			return step(state, input, deps.policy(origin));
		} catch (bug) {
			return stepAfterBug(state, input, origin?.gate ?? 'observe', bug, deps.now());
		}
	}

	function rowAfter(visible: readonly FeedEvent[]): SessionRow {
		for (const event of visible) foldSessionView(view, event);
		return toSessionRow(view, deps.place);
	}

	/** If the inbox is full, the note follows the next batch. */
	function noteHealth(error: AppError | undefined): void {
		if (error && !degraded) degraded = note('degraded', error.message);
		else if (!error && degraded) degraded = !note('connected', 'the record is being written again');
		if (!error && missed > 0 && note('gap', `${plural(missed, 'event')} lost: they arrived faster than they could be stored`))
			missed = 0;
		if (error) setTimeout(() => take({}), RETRY_MS).unref();
	}

	function note(status: FeedData<'runtime.status'>['status'], reason: string): boolean {
		return take({ input: { type: 'noted', fact: { kind: 'runtime.status', data: { status, reason } }, at: deps.now() } });
	}

	function submit(input: SessionInput): Promise<Result<void>> {
		return new Promise((done) => {
			if (!take({ input: withProof(input, currentProof()), command: currentCommand(), done }))
				done(err(new AppError('store_unavailable', 'The session queue is full; retry later.')));
		});
	}

	return {
		id: state.sessionId,
		post(input, origin) {
			latest = origin ?? latest;
			if (origin && input.type === 'reported') deps.received(input.event, origin.runtime);
			const request = origin && input.type === 'reported' && input.event.interaction.expectsDecision ? input.event.id : null;
			// Before it is posted, because the reply may be immediate.
			if (origin && request !== null) waiting.set(request, origin);
			if (take({ input, origin })) return;
			missed += 1;
			if (request !== null) waiting.delete(request);
		},
		leftOpen,
		cancelAbandoned() {
			const decision = silence(latest?.gate, { source: 'system', reason: 'the runner ended while this waited' });
			for (const requestId of leftOpen.filter((id) => !waiting.has(id)))
				take({ input: { type: 'settled', requestId, decision, at: deps.now() } });
		},
		answer: (askId, verdict, principal) => submit({ type: 'answered', askId, verdict, principal, at: deps.now() }),
		submit,
		prompts: () => state.prompts,
		hasAnswered: () => state.usage !== null,
		awaitsTasks: () => state.feed.run?.inBackground === true,
		row: () => toSessionRow(view, deps.place),
		view: () => view,
		// The record has queued prompts without their secrets, so a session with such prompts stays in memory.
		isQuiet: () =>
			inbox.isIdle() && waiting.size + state.asks.size + state.prompts.waiting.length === 0 && !degraded && missed === 0,
		async flush() {
			take({});
			await inbox.idle();
		},
	};
}

/** The allow is saved when the disk returns, and must not look as if the agent received it. */
const WITHHELD = {
	kind: 'runtime.error',
	data: { code: 'store_unavailable', message: 'An allow could not be recorded in time, so the agent did not get it' },
} as const;

/** An ask that opened and closed in one batch is written once, in its final state. */
function asTheyEnded(rows: readonly AskRow[]): AskRow[] {
	return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Facts that people, scripts or queued prompts wait for. */
const AWAITED: ReadonlySet<FeedEvent['kind']> = new Set(['run.end', 'session.start', 'session.end']);
/** Summaries of other facts. */
const PATIENT: ReadonlySet<FeedEvent['kind']> = new Set(['tool.batch', 'usage.update']);

/** A driven agent reports one call in several parts, which are shown together a moment later. */
function hasteOf({ input, done }: Posted, { events, asks, effects }: StepResult, isDriven: boolean): ItemHaste {
	if (!input || done || asks.length > 0) return 'awaited';
	if (effects.some((effect) => effect.type === 'reply' && effect.recorded)) return 'awaited';
	if (events.some(({ kind }) => AWAITED.has(kind))) return 'awaited';
	if (events.every(isTransient)) return events.length > 0 ? 'shown' : 'free';
	return isDriven || events.every(({ kind }) => PATIENT.has(kind)) ? 'patient' : 'soon';
}

const NOTHING: StepResult = { events: [], asks: [], effects: [] };

/** Only facts that people cause keep a signature. */
function withProof(input: SessionInput, signed: CommandProof | undefined): SessionInput {
	return signed && (input.type === 'answered' || input.type === 'prompts') ? { ...input, signed } : input;
}

function outcome(result: StepResult | undefined, error: AppError | undefined): Result<void> {
	const problem = result?.refused ?? error;
	return problem ? err(problem) : ok(undefined);
}
