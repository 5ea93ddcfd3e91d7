// The subscriptions of one client, by the names it gave them.
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import { whyElsewhere } from '@roost/protocol/log-cursor';
import { err, ok, type Result } from '@roost/protocol/result';
import type { StoredLog } from '../operations/backend.ts';
import type { Live } from './live.ts';
import type { Outbox } from './outbox.ts';
import { createSubscription, type Subscription, type Target } from './subscription.ts';

export type SubscribeFrame = Extract<ClientFrame, { type: 'subscribe' | 'subscribe-all' }>;

export type Subscriptions = {
	/** A name that is in use begins anew from the given place. */
	add(frame: SubscribeFrame): Result<void>;
	remove(sub: string): void;
	offer(lines: Live['lines']): void;
	/** Whether some subscription is live there. */
	isLiveOn(stream: StreamId): boolean;
	/** Lets every subscription that is behind read on, as far as there is room. */
	replay(): void;
	/** Ends all of them. */
	end(): void;
};

export function createSubscriptions(deps: {
	runnerId: RunnerId;
	log: StoredLog;
	outbox: Outbox;
	max: number;
	pageLines: number;
	/** The client says that it has more than the log. */
	onAhead(sub: string, error: AppError): void;
	onUnreadable(error: AppError): void;
	onLag?: (() => void) | undefined;
}): Subscriptions {
	const subs = new Map<string, Subscription>();

	function remove(sub: string): void {
		subs.get(sub)?.end();
		subs.delete(sub);
	}

	/** A place in another log would be answered with the wrong lines. */
	function elsewhere(frame: SubscribeFrame): AppError | undefined {
		if (frame.type === 'subscribe' || frame.after === null) return undefined;
		const epoch = deps.log.epoch();
		if (!epoch.ok) return epoch.error;
		const why = whyElsewhere(frame.after, { runnerId: deps.runnerId, epoch: epoch.value });
		return why === undefined ? undefined : new AppError('bad_request', why);
	}

	return {
		add(frame) {
			const { sub } = frame;
			const place = toPlace(frame);
			const fault = elsewhere(frame) ?? findFault(deps.max, subs, sub, place.target);
			if (fault) return err(fault);
			remove(sub);
			const onAhead = (error: AppError) => {
				remove(sub);
				deps.onAhead(sub, error);
			};
			subs.set(sub, createSubscription({ ...deps, sub, ...place, onAhead }));
			return ok(undefined);
		},
		remove,
		offer(lines) {
			for (const { entry, frame } of lines) for (const sub of subs.values()) sub.offer(entry, frame);
		},
		isLiveOn: (stream) => subs.values().some((sub) => sub.isLive() && (sub.target.stream ?? stream) === stream),
		replay() {
			for (const [name, sub] of [...subs]) {
				if (sub.isLive()) continue;
				// The one that had the room goes to the end, so that the others get it next.
				subs.delete(name);
				subs.set(name, sub);
				sub.replay();
			}
		},
		end() {
			for (const sub of subs.values()) sub.end();
		},
	};
}

function toPlace(frame: SubscribeFrame): { target: Target; after: number } {
	if (frame.type === 'subscribe') return { target: { stream: frame.stream }, after: frame.after };
	return { target: {}, after: frame.after?.seqNo ?? 0 };
}

function findFault(max: number, subs: ReadonlyMap<string, Subscription>, sub: string, target: Target): AppError | undefined {
	const twin = subs.entries().find(([name, other]) => name !== sub && other.target.stream === target.stream);
	// Lines do not name a subscription, so two on the same target could not be told apart.
	if (twin) return new AppError('bad_request', `frame.sub: you listen to this already as "${twin[0]}".`);
	if (!subs.has(sub) && subs.size >= max) return new AppError('too_large', `You have ${max} subscriptions: end one first.`);
	return undefined;
}
