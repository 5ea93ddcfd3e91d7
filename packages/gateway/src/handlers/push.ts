// Notifications of the calling device.
import { AppError } from '@roost/protocol/app-error';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Caller } from '../access/caller.ts';
import type { ApiHandlers } from '../operations/api.ts';
import type { PushBook } from '../operations/backend.ts';

export function pushHandlers(push: PushBook): ApiHandlers['push'] {
	return {
		key(_, { caller }) {
			const device = deviceOf(caller);
			if (!device.ok) return device;
			const publicKey = push.publicKey();
			if (!publicKey.ok) return publicKey;
			return ok({ publicKey: publicKey.value, subscribed: push.has(device.value) });
		},
		async subscribe(subscription, { caller, by }) {
			const device = deviceOf(caller);
			return device.ok ? await push.subscribe(device.value, subscription, by) : device;
		},
		async unsubscribe(_, { caller, by }) {
			const device = deviceOf(caller);
			return device.ok ? await push.unsubscribe(device.value, by) : device;
		},
		async test(_, { caller }) {
			const device = deviceOf(caller);
			return device.ok ? await push.test(device.value) : device;
		},
	};
}

function deviceOf(caller: Caller): Result<DeviceId> {
	return caller.via === 'device' ? ok(caller.device) : err(new AppError('denied', 'Only a device can do this.'));
}
