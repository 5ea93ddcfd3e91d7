// The secrets that prove who calls: the runner's token, bearers of devices, and one-time tickets. Stored in memory, by digest.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Device } from '@roost/protocol/api/devices';
import type { DeviceId } from '@roost/protocol/ids';

/** `user`: whose it is, where several people have devices. */
export type OwnedDevice = Device & { user?: string };

export type Credentials = {
	isToken(candidate: string): boolean;
	/** The device whose bearer this is, unless it was revoked. */
	findDevice(bearer: string): OwnedDevice | undefined;
};

export function createCredentials(deps: {
	token: string;
	logins: Pick<Logins, 'find'>;
	devices: { find(id: DeviceId): OwnedDevice | undefined };
}): Credentials {
	const token = Buffer.from(toDigest(deps.token));
	return {
		isToken: (candidate) => timingSafeEqual(token, Buffer.from(toDigest(candidate))),
		findDevice(bearer) {
			const id = deps.logins.find(bearer);
			return id && deps.devices.find(id);
		},
	};
}

/** Per device: each open page has one. */
const MAX_BEARERS = 20;

/** The short-lived bearers of devices. Revoking a device ends all of them at once. */
export type Logins = {
	issue(device: DeviceId): { bearer: string; expiresAt: number };
	/** Which device a bearer belongs to. */
	find(bearer: string): DeviceId | undefined;
	/** Ends every bearer of the device and calls the handlers of `onEnd`. */
	end(device: DeviceId): void;
	/** Called for each device that was ended. Returns the unsubscribe function. */
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

const MAX_OPEN = 100;

/** Secrets that work once and for seconds only, each for one purpose. */
export type Tickets<T> = {
	issue(purpose: T): { ticket: string; expiresAt: number };
	/** Returns its purpose, once. */
	redeem(ticket: string): T | undefined;
	/** Voids all issued so far. */
	forget(): void;
};

export function createTickets<T>(deps: { now: () => number; lifeMs: number }): Tickets<T> {
	const open = new Map<string, { purpose: T; expiresAt: number }>();
	return {
		issue(purpose) {
			const ticket = newSecret();
			const expiresAt = deps.now() + deps.lifeMs;
			open.set(toDigest(ticket), { purpose, expiresAt });
			const oldest = open.keys().next();
			if (open.size > MAX_OPEN && !oldest.done) open.delete(oldest.value);
			return { ticket, expiresAt };
		},
		redeem(ticket) {
			const digest = toDigest(ticket);
			const found = open.get(digest);
			open.delete(digest);
			return found && deps.now() < found.expiresAt ? found.purpose : undefined;
		},
		forget: () => open.clear(),
	};
}

/** 256 bits. */
function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The stored form of a secret: a lookup reveals nothing about how much of a guess was right. */
function toDigest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
