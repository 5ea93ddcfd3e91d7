// What proves who calls: the token of the runner, or the bearer of a device.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Device } from '@roost/protocol/api/devices';
import type { DeviceId } from '@roost/protocol/ids';
import type { Logins } from './logins.ts';

export type Credentials = {
	isToken(candidate: string): boolean;
	/** The device whose bearer this is, unless it was revoked. */
	findDevice(bearer: string): Device | undefined;
};

export function createCredentials(deps: {
	token: string;
	logins: Logins;
	devices: { find(id: DeviceId): Device | undefined };
}): Credentials {
	const token = digest(deps.token);
	return {
		isToken: (candidate) => timingSafeEqual(token, digest(candidate)),
		findDevice(bearer) {
			const id = deps.logins.find(bearer);
			return id && deps.devices.find(id);
		},
	};
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
