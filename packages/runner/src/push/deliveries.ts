// Sends pushes to devices, one at a time each. Only the newest of a device waits, so nothing piles up.
import type { Timers } from '@roost/machine/timers';
import type { PushMessage } from '@roost/protocol/api/push';
import { assertNever } from '@roost/protocol/assert-never';
import type { DeviceId } from '@roost/protocol/ids';
import type { Posted } from './post-push.ts';

export type Deliveries = Disposable & {
	/** Replaces one that was not sent yet. */
	send(device: DeviceId, message: PushMessage): void;
};

export type DeliveriesDeps = {
	post(device: DeviceId, message: PushMessage): Promise<Posted>;
	onGone(device: DeviceId): void;
	timers: Timers;
	warn(sentence: string): void;
};

export const MOST_TRIES = 5;
const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 5 * 60_000;

export function createDeliveries({ post, onGone, timers, warn }: DeliveriesDeps): Deliveries {
	const waiting = new Map<DeviceId, PushMessage>();
	const working = new Set<DeviceId>();
	const pauses = new Set<() => void>();
	let isClosed = false;

	async function work(device: DeviceId): Promise<void> {
		working.add(device);
		let tries = 0;
		for (let message = take(device); message && !isClosed; message = take(device)) {
			const posted = await post(device, message);
			tries = posted.type === 'busy' ? tries + 1 : 0;
			const delayMs = settle(device, message, posted, tries);
			if (delayMs > 0) await pause(delayMs);
		}
		working.delete(device);
	}

	function take(device: DeviceId): PushMessage | undefined {
		const message = waiting.get(device);
		waiting.delete(device);
		return message;
	}

	/** How long to wait before the next one. */
	function settle(device: DeviceId, message: PushMessage, posted: Posted, tries: number): number {
		switch (posted.type) {
			case 'accepted':
				return 0;
			case 'gone':
				waiting.delete(device);
				onGone(device);
				return 0;
			case 'refused':
				warn(`A notification was not accepted by the push service: ${posted.why}.`);
				return 0;
			case 'busy':
				if (tries >= MOST_TRIES) {
					warn(`A notification was given up after ${tries} tries: ${posted.why}.`);
					return 0;
				}
				if (!waiting.has(device)) waiting.set(device, message);
				return Math.min(posted.afterMs ?? FIRST_DELAY_MS * 2 ** (tries - 1), LONGEST_DELAY_MS);
			default:
				return assertNever(posted);
		}
	}

	function pause(ms: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const end = () => {
			cancel();
			pauses.delete(end);
			resolve();
		};
		const cancel = timers.after(ms, end);
		pauses.add(end);
		return promise;
	}

	return {
		send(device, message) {
			waiting.set(device, message);
			if (!working.has(device)) void work(device);
		},
		[Symbol.dispose]() {
			isClosed = true;
			for (const end of [...pauses]) end();
		},
	};
}
