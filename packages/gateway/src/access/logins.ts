// The logins of devices: short-lived bearers, kept in memory by digest. Revoking a device ends all of them at once.
import type { DeviceId } from '@roost/protocol/ids';
import { newSecret, toDigest } from './tickets.ts';

/** Of one device: each open page holds one. */
const MAX_BEARERS = 20;

export type Logins = {
	issue(device: DeviceId): { bearer: string; expiresAt: number };
	/** Which device a bearer belongs to. */
	find(bearer: string): DeviceId | undefined;
	/** Ends every bearer of the device and tells those who admitted it. */
	end(device: DeviceId): void;
	/** Told of each device that was ended. Returns the unsubscribe function. */
	onEnd(handler: (device: DeviceId) => void): () => void;
};

export function createLogins(deps: { now: () => number; bearerMs: number }): Logins {
	const byDevice = new Map<DeviceId, Map<string, number>>();
	const handlers = new Set<(device: DeviceId) => void>();
	return {
		issue(device) {
			const bearer = newSecret();
			const expiresAt = deps.now() + deps.bearerMs;
			const own = new Map([...(byDevice.get(device) ?? [])].filter(([, until]) => deps.now() < until).slice(1 - MAX_BEARERS));
			byDevice.set(device, own.set(toDigest(bearer), expiresAt));
			return { bearer, expiresAt };
		},
		find(bearer) {
			const digest = toDigest(bearer);
			for (const [device, own] of byDevice) if (deps.now() < (own.get(digest) ?? 0)) return device;
			return undefined;
		},
		end(device) {
			byDevice.delete(device);
			for (const handler of handlers) handler(device);
		},
		onEnd(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
	};
}
