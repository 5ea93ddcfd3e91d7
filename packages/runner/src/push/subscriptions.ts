// Which devices get notifications, kept in a private file. A subscription counts only if the record explains it.
import { join } from 'node:path';
import type { DeviceBook } from '@roost/gateway/operations/backend';
import type { Home } from '@roost/home/home';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { sha256 } from '@roost/machine/sha256';
import { type PushSubscriptionBody, pushSubscription } from '@roost/protocol/api/push';
import { type DeviceId, deviceId, type RunnerId, runnerStream } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { z } from 'zod';
import { readEvents } from '../record/rebuild.ts';
import type { RunnerStream } from '../record/runner-stream.ts';

const subscriptionFile = z.object({ subscriptions: z.array(z.object({ device: deviceId, subscription: pushSubscription })) });
/** Of all devices with the longest addresses. */
const LARGEST_BYTES = 512 * 1_024;

export type Subscriptions = {
	/** Undefined also for a device that was revoked. */
	find(device: DeviceId): PushSubscriptionBody | undefined;
	devices(): DeviceId[];
	/** Resolves when it is recorded and written. */
	add(device: DeviceId, subscription: PushSubscriptionBody, by: string): Promise<Result<void>>;
	remove(device: DeviceId, by: string, reason?: string): Promise<Result<void>>;
	/** The device was revoked, which is recorded already. */
	forget(device: DeviceId): void;
};

export type SubscriptionsDeps = {
	home: Pick<Home, 'data'>;
	store: Pick<Store, 'read'>;
	runnerId: RunnerId;
	own: Pick<RunnerStream, 'record'>;
	devices: Pick<DeviceBook, 'find'>;
	warn: (sentence: string) => void;
};

export function openSubscriptions({ home, store, runnerId, own, devices, warn }: SubscriptionsDeps): Result<Subscriptions> {
	const path = join(home.data, 'push.json');
	const enabled = readEnabled(store, runnerId);
	if (!enabled.ok) return enabled;
	const kept = new Map<DeviceId, PushSubscriptionBody>();
	for (const { device, subscription } of readFile(path, warn)) {
		if (enabled.value.get(device) === toHash(subscription)) kept.set(device, subscription);
		else warn(`A subscription in ${path} is not on record and is ignored. Turn notifications on again in its browser.`);
	}

	function write(): Result<void> {
		const subscriptions = [...kept].map(([device, subscription]) => ({ device, subscription }));
		return replacePrivateFile(path, `${JSON.stringify({ subscriptions })}\n`);
	}

	function record(device: DeviceId, subscription: PushSubscriptionBody, change: Change): Promise<Result<void>> {
		const { name = device } = devices.find(device) ?? {};
		const place = { host: new URL(subscription.endpoint).host, subscription_hash: toHash(subscription) };
		return own.record({ kind: 'device.push', data: { device_id: device, name, ...place, ...change } });
	}

	async function remove(device: DeviceId, changed_by: string, reason?: string): Promise<Result<void>> {
		const removed = kept.get(device);
		if (!removed) return ok(undefined);
		kept.delete(device);
		const written = write();
		if (!written.ok) warn(written.error.message);
		return await record(device, removed, { enabled: false, changed_by, reason });
	}

	const find = (device: DeviceId) => (devices.find(device) ? kept.get(device) : undefined);
	return ok({
		find,
		devices: () => [...kept.keys()].filter((device) => find(device)),
		async add(device, subscription, changed_by) {
			const recorded = await record(device, subscription, { enabled: true, changed_by });
			if (!recorded.ok) return recorded;
			kept.set(device, subscription);
			const written = write();
			if (!written.ok) await remove(device, 'system', written.error.message);
			return written;
		},
		remove,
		forget(device) {
			if (!kept.delete(device)) return;
			const written = write();
			if (!written.ok) warn(written.error.message);
		},
	});
}

function toHash({ endpoint, keys }: PushSubscriptionBody): string {
	return sha256(JSON.stringify([endpoint, keys.p256dh, keys.auth]));
}

type Change = { enabled: boolean; changed_by: string; reason?: string | undefined };

function readFile(path: string, warn: (sentence: string) => void): z.infer<typeof subscriptionFile>['subscriptions'] {
	const text = readPrivateFile(path, LARGEST_BYTES);
	if (text.ok && text.value === null) return [];
	try {
		if (text.ok) return subscriptionFile.parse(JSON.parse(text.value ?? '')).subscriptions;
	} catch {
		// Reported below, like a file that cannot be opened.
	}
	warn(`${path} cannot be read. Turn notifications on again in each browser.`);
	return [];
}

/** The hash of the subscription by device: a fold of the runner's own stream. */
function readEnabled(store: Pick<Store, 'read'>, runnerId: RunnerId): Result<ReadonlyMap<string, string>> {
	const enabled = new Map<string, string>();
	const read = readEvents(store, runnerStream(runnerId), (event) => {
		if (event.kind === 'device.push' && event.data.enabled) enabled.set(event.data.device_id, event.data.subscription_hash);
		else if (event.kind === 'device.push' || event.kind === 'device.revoked') enabled.delete(event.data.device_id);
	});
	return read.ok ? ok(enabled) : read;
}
