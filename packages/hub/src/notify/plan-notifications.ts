// When people are notified: of requests that nobody answers or watches, once each, and of runs that failed. A pure function.
import type { AskId, RunId, RunnerId, SessionId } from '@roost/protocol/ids';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

/** Ids, counts and the name of the runner: nothing of what an agent wrote. */
export type Notice = { runner: RunnerRef; session: SessionId } & (
	| { kind: 'requests'; ask: AskId; count: number }
	| { kind: 'run-failed'; run: RunId }
);

export type RunnerRef = { id: RunnerId; name: string };

export type NotifySettings = QuietHours & { runners: Readonly<Record<string, boolean>> };

export type NotifyState = {
	/** Open requests, the oldest first, by runner and id; `dueAt` null: nobody is notified of it any more. */
	asks: ReadonlyMap<string, OpenAsk>;
	/** Failed runs of which people were notified, by runner and id. */
	runs: ReadonlySet<string>;
};

export type OpenAsk = { runner: RunnerRef; session: SessionId; ask: AskId; dueAt: number | null };

export type NotifyInput =
	/** What a runner has just sent. Of lines from before its connection only the closed requests count. */
	| { type: 'update'; at: number; runner: RunnerRef; isLive: boolean; asks: readonly AskChange[]; failed: readonly FailedRun[] }
	/** Some requests are due; of these, `pending` ones are still open in the store. */
	| { type: 'due'; at: number; pending: ReadonlySet<string>; watched: ReadonlySet<RunnerId> };

export type AskChange = { id: AskId; sessionId: SessionId; state: string };
export type FailedRun = { session: SessionId; run: RunId };

export type Plan = { state: NotifyState; notices: readonly Notice[] };

/** Requests that are answered at once are not announced. */
export const WAIT_MS = 3_000;
/** Of each kind; the oldest are forgotten. */
export const MOST_KNOWN = 10_000;

export const NOTHING_OPEN: NotifyState = { asks: new Map(), runs: new Set() };

export function planNotifications(state: NotifyState, input: NotifyInput, settings: NotifySettings): Plan {
	return input.type === 'due' ? planDue(state, input, settings) : planUpdate(state, input, settings);
}

export function keyOf(runner: RunnerId, id: string): string {
	return `${runner} ${id}`;
}

/** The requests that are due now. */
export function dueAsks({ asks }: NotifyState, at: number): OpenAsk[] {
	return [...asks.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= at);
}

/** When the next request is due. */
export function nextDue({ asks }: NotifyState): number | undefined {
	const times = [...asks.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
	return times.length === 0 ? undefined : Math.min(...times);
}

function planUpdate(state: NotifyState, input: Extract<NotifyInput, { type: 'update' }>, settings: NotifySettings): Plan {
	const { at, runner, isLive } = input;
	const asks = new Map(state.asks);
	const runs = new Set(state.runs);
	const notices: Notice[] = [];
	const isOn = isLive && (settings.runners[runner.id] ?? settings.runners[runner.name] ?? true);
	for (const { id: ask, sessionId: session, state: askState } of input.asks) {
		const key = keyOf(runner.id, ask);
		if (askState !== 'pending') asks.delete(key);
		else if (isOn && !asks.has(key)) asks.set(key, { runner, session, ask, dueAt: at + WAIT_MS });
	}
	for (const { session, run } of isOn ? input.failed : []) {
		const key = keyOf(runner.id, run);
		if (runs.has(key)) continue;
		runs.add(key);
		// In the morning a failed run is no news.
		if (quietUntil(settings, at) === undefined) notices.push({ kind: 'run-failed', runner, session, run });
	}
	return { state: { asks: new Map([...asks].slice(-MOST_KNOWN)), runs: new Set([...runs].slice(-MOST_KNOWN)) }, notices };
}

/** One notice for each runner, of its oldest request that is due. */
function planDue(state: NotifyState, input: Extract<NotifyInput, { type: 'due' }>, settings: NotifySettings): Plan {
	const asks = new Map(state.asks);
	const fresh = new Map<RunnerId, OpenAsk>();
	const quietEnd = quietUntil(settings, input.at);
	for (const open of dueAsks(state, input.at)) {
		const { runner, ask } = open;
		const key = keyOf(runner.id, ask);
		if (!input.pending.has(key)) asks.delete(key);
		else if (quietEnd !== undefined) asks.set(key, { ...open, dueAt: quietEnd });
		else {
			asks.set(key, { ...open, dueAt: null });
			if (!input.watched.has(runner.id) && !fresh.has(runner.id)) fresh.set(runner.id, open);
		}
	}
	const countOf = (id: RunnerId) => [...asks.values()].filter(({ runner }) => runner.id === id).length;
	const notices = [...fresh.values()].map(
		({ runner, session, ask }): Notice => ({ kind: 'requests', runner, session, ask, count: countOf(runner.id) }),
	);
	return { state: { ...state, asks }, notices };
}
