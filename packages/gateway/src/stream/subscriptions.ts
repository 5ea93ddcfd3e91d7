// The subscriptions of one client, by name.
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import { whyElsewhere } from '@roost/protocol/log-cursor';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Live } from './live.ts';
import { createSubscription, type Subscription, type SubscriptionDeps, type Target } from './subscription.ts';

export type SubscribeFrame = Extract<ClientFrame, { type: 'subscribe' | 'subscribe-all' }>;

export type Subscriptions = {
	/** A name in use starts again from the given place. */
	add(frame: SubscribeFrame): Result<void>;
	has(sub: string): boolean;
	remove(sub: string): void;
	offer(lines: Live['lines']): void;
	/** Whether a subscription to this stream is live. */
	isLiveOn(stream: StreamId): boolean;
	/** Continues every subscription that is behind, as far as there is room. */
	replay(): void;
	/** Ends all of them. */
	end(): void;
};

type Deps = Pick<SubscriptionDeps, 'log' | 'outbox' | 'pageLines' | 'onUnreadable' | 'onLag'> & {
	runnerId: RunnerId;
	max: number;
	/** The client claims to have more than the log. */
	onAhead(sub: string, error: AppError): void;
	/** Called for a stream that is subscribed to; the returned function ends it. */
	watch?: ((stream: StreamId) => () => void) | undefined;
};

export function createSubscriptions(deps: Deps): Subscriptions {
	const subs = new Map<string, Subscription>();
	const watches = new Map<string, () => void>();

	function remove(sub: string): void {
		subs.get(sub)?.end();
		subs.delete(sub);
		watches.get(sub)?.();
		watches.delete(sub);
	}

	/** A cursor of another log would get the wrong lines. */
	function elsewhere(frame: SubscribeFrame): AppError | undefined {
		if (frame.type === 'subscribe' || frame.after === null || frame.after === 'now') return undefined;
		const epoch = deps.log.epoch();
		if (!epoch.ok) return epoch.error;
		const why = whyElsewhere(frame.after, { runnerId: deps.runnerId, epoch: epoch.value });
		return why === undefined ? undefined : new AppError('bad_request', why);
	}

	return {
		add(frame) {
			const { sub } = frame;
			const head = frame.after === 'now' ? deps.log.head() : ok(0);
			if (!head.ok) return head;
			const place = toPlace(frame, head.value);
			const fault = elsewhere(frame) ?? findFault(deps.max, subs, sub, place.target);
			if (fault) return err(fault);
			remove(sub);
			const onAhead = (error: AppError) => {
				remove(sub);
				deps.onAhead(sub, error);
			};
			subs.set(sub, createSubscription({ ...deps, sub, ...place, onAhead }));
			const { stream } = place.target;
			if (deps.watch && stream !== undefined) watches.set(sub, deps.watch(stream));
			return ok(undefined);
		},
		has: (sub) => subs.has(sub),
		remove,
		offer(lines) {
			for (const { entry, frame } of lines) for (const sub of subs.values()) sub.offer(entry, frame);
		},
		isLiveOn: (stream) => subs.values().some((sub) => sub.isLive() && (sub.target.stream ?? stream) === stream),
		replay() {
			for (const [name, sub] of [...subs]) {
				if (sub.isLive()) continue;
				// Moved to the end, so that the others get the room next.
				subs.delete(name);
				subs.set(name, sub);
				sub.replay();
			}
		},
		end() {
			for (const sub of [...subs.keys()]) remove(sub);
		},
	};
}

function toPlace(frame: SubscribeFrame, head: number): { target: Target; after: number } {
	if (frame.type === 'subscribe') return { target: { stream: frame.stream }, after: frame.after };
	return { target: {}, after: frame.after === 'now' ? head : (frame.after?.seqNo ?? 0) };
}

function findFault(max: number, subs: ReadonlyMap<string, Subscription>, sub: string, target: Target): AppError | undefined {
	const twin = subs.entries().find(([name, other]) => name !== sub && other.target.stream === target.stream);
	// Lines do not name a subscription, so two on the same target would be ambiguous.
	if (twin) return alreadySubscribed(twin[0]);
	if (!subs.has(sub) && subs.size >= max) return new AppError('too_large', `You have ${max} subscriptions. End one first.`);
	return undefined;
}

export function alreadySubscribed(sub: string): AppError {
	return new AppError('bad_request', `frame.sub: you are already subscribed to this as "${sub}".`);
}
