// Follows one run from its prompt to its end, handles its asks, and stops it on request.
import type { StreamStatus } from '@roost/client/connection';
import type { StreamClient } from '@roost/client/stream-client';
import { steadyNow } from '@roost/machine/timers';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionStream } from '@roost/protocol/ids';
import type { Connected } from '../../transport/connected.ts';
import type { AnswerHere } from './answer-here.ts';
import type { BegunRun } from './begin-run.ts';
import { handleAsks } from './handle-asks.ts';
import type { OnAsk } from './run-options.ts';
import { createRunTracker, type RunOver } from './run-tracker.ts';
import { type Stop, type Stops, within } from './stops.ts';

export type RunEnd = {
	over?: RunOver | undefined;
	stop?: Stop | undefined;
	/** The runner did not answer a request. */
	isStuck: boolean;
};

type FollowDeps = {
	connected: Connected;
	begun: BegunRun;
	onAsk: OnAsk;
	answerHere?: AnswerHere | undefined;
	stops: Stops;
	say: (sentence: string) => void;
	onEvent: (event: FeedEvent) => void;
};

/** Resolves when the run has ended, was stopped, or was lost with its runner. */
export async function followRun(deps: FollowDeps): Promise<RunEnd> {
	const { connected, stops } = deps;
	await using stream = connected.openStream();
	const ended = watchRun(stream, deps);
	await watchLoss(stream, (sentence) => stops.report({ type: 'lost', sentence }));
	const first = await Promise.race([ended, stops.first]);
	if (!('type' in first)) return { over: first, isStuck: !(await within(letGo(deps))).inTime };
	if (first.type === 'lost') return { stop: first, isStuck: false };
	const halted = await within(halt(deps, ended));
	const gone = await within(letGo(deps));
	return { stop: first, over: halted.inTime ? halted.value : undefined, isStuck: !halted.inTime || !gone.inTime };
}

function watchRun(
	stream: StreamClient,
	{ connected, begun, onAsk, answerHere, stops, say, onEvent }: FollowDeps,
): Promise<RunOver> {
	const { promise, resolve } = Promise.withResolvers<RunOver>();
	const tracker = createRunTracker(begun.prompt);
	const asks = handleAsks({
		onAsk,
		answerHere,
		asks: connected.api.asks,
		isOurs: (ask) => ask.sessionId === begun.sessionId && tracker.has(ask.eventId),
		say,
		onFailed: (sentence) => stops.report({ type: 'refused', sentence }),
	});
	stream.onAsk(asks.observe);
	stream.follow(
		{ stream: sessionStream(begun.sessionId), after: begun.after },
		{
			onLine({ event }) {
				const hadBegun = tracker.hasBegun();
				tracker.observe(event);
				if (!hadBegun && tracker.hasBegun()) asks.begun();
				onEvent(event);
				const over = tracker.over();
				if (over) void asks.settled().then(() => resolve(over));
			},
		},
	);
	return promise;
}

/** Cancels a prompt that is still queued: the current run belongs to another prompt. */
async function halt({ connected: { api }, begun }: FollowDeps, ended: Promise<RunOver>): Promise<RunOver | undefined> {
	const { sessionId, waiting } = begun;
	if (waiting !== undefined && (await api.queue.cancel({ commandId: crypto.randomUUID(), id: sessionId, promptId: waiting })).ok)
		return undefined;
	const interrupted = await api.sessions.interrupt({ commandId: crypto.randomUUID(), id: sessionId });
	// Nothing to interrupt: the run has ended or never started.
	return interrupted.ok ? await ended : undefined;
}

/** Ends the agent, unless it was running before. The session can be resumed. */
async function letGo({ connected: { api }, begun, say }: FollowDeps): Promise<void> {
	if (begun.wasThere) return;
	const ended = await api.sessions.end({ commandId: crypto.randomUUID(), id: begun.sessionId });
	if (!ended.ok) say(`The agent could not be ended: ${ended.error.message}`);
}

/** For a runner that is up but does not answer. */
const MOST_SILENCE_MS = 30_000;

/** Reports when the runner is gone: neither the agent nor the run outlives it. */
async function watchLoss(stream: StreamClient, lost: (sentence: string) => void): Promise<void> {
	const ours = await whoIsUp();
	stream.onStatus((status) => void look(status));

	async function look({ state, since, reason }: StreamStatus): Promise<void> {
		if (state === 'incompatible') return lost(reason ?? 'The runner speaks another version.');
		const up = await whoIsUp();
		if (up === null || up !== ours) return lost('The runner has stopped, and the run with it.');
		if (state !== 'live' && steadyNow() - since > MOST_SILENCE_MS) lost(`The runner does not answer: ${reason ?? 'no response'}`);
	}
}

async function whoIsUp(): Promise<string | null> {
	const { reachRunner } = await import('../../runner/reach.ts');
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok || !reached.value) return null;
	const { pid, startedAt } = reached.value.running;
	return `${pid} ${startedAt}`;
}
