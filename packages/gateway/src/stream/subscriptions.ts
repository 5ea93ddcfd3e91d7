// The subscriptions of one client, by the names it gave them.
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { StoredRecord } from '../backend.ts';
import type { Live } from './live.ts';
import type { Outbox } from './outbox.ts';
import { createSubscription, reaches, type Subscription, type Target } from './subscription.ts';

export type SubscribeFrame = Extract<ClientFrame, { type: 'subscribe' | 'subscribe-all' }>;

export type Subscriptions = {
	/** A name that is in use begins anew from the given place. */
	add(frame: SubscribeFrame): Result<void>;
	remove(sub: string): void;
	offer(lines: Live['lines']): void;
	/** Whether some subscription is live there. */
	isLiveOn(stream: StreamId): boolean;
	/** Lets every subscription that is behind read on, as far as there is room. */
	replay(): Result<void>;
};

export function createSubscriptions(deps: {
	record: StoredRecord;
	outbox: Outbox;
	max: number;
	pageLines: number;
	onLag?: (() => void) | undefined;
}): Subscriptions {
	const subs = new Map<string, Subscription>();
	return {
		add(frame) {
			const { sub } = frame;
			const place = toPlace(frame);
			const fault = findFault(deps.max, subs, sub, place.target);
			if (fault) return err(fault);
			const reached = reaches(deps.record, place.target, place.after);
			if (!reached.ok) return reached;
			if (!reached.value) return err(aheadOfLog(place.after));
			subs.set(sub, createSubscription({ ...deps, sub, ...place }));
			return ok(undefined);
		},
		remove: (sub) => void subs.delete(sub),
		offer(lines) {
			for (const { entry, frame } of lines) for (const sub of subs.values()) sub.offer(entry, frame);
		},
		isLiveOn: (stream) => subs.values().some((sub) => sub.isLive() && (sub.target.stream ?? stream) === stream),
		replay() {
			for (const [name, sub] of [...subs]) {
				if (sub.isLive()) continue;
				const read = sub.replay();
				if (!read.ok) return read;
				// Whoever had the room goes to the end, so that the others get it next.
				subs.delete(name);
				subs.set(name, sub);
			}
			return ok(undefined);
		},
	};
}

function toPlace(frame: SubscribeFrame): { target: Target; after: number } {
	if (frame.type === 'subscribe') return { target: { stream: frame.stream }, after: frame.after };
	return { target: {}, after: frame.afterSeqNo };
}

function findFault(max: number, subs: ReadonlyMap<string, Subscription>, sub: string, target: Target): AppError | undefined {
	const twin = subs.entries().find(([name, other]) => name !== sub && other.target.stream === target.stream);
	// Lines do not name a subscription, so two on the same target could not be told apart.
	if (twin) return new AppError('bad_request', `frame.sub: you listen to this already as "${twin[0]}".`);
	if (!subs.has(sub) && subs.size >= max) return new AppError('too_large', `You have ${max} subscriptions: end one first.`);
	return undefined;
}

function aheadOfLog(after: number): AppError {
	return new AppError('bad_request', `The record ends before ${after}: it is not the one you read, begin again from 0.`);
}
