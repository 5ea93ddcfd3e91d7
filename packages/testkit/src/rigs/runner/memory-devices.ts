// Devices that last as long as a test.

import { toDeviceId } from '@roost/gateway/access/verify-signature';
import type { DeviceBook } from '@roost/gateway/operations/backend';
import type { Device } from '@roost/protocol/api/devices';
import { ok } from '@roost/protocol/result';

export function createMemoryDevices(): DeviceBook {
	const devices = new Map<string, Device>();
	return {
		list: () => [...devices.values()],
		find: (id) => devices.get(id),
		async register(body) {
			const device = { ...body, id: toDeviceId(body.publicKey), createdAt: 0, lastSeenAt: 0 };
			devices.set(device.id, device);
			return ok(device);
		},
		noteSeen: () => undefined,
		async revoke(id) {
			devices.delete(id);
			return ok(undefined);
		},
	};
}
