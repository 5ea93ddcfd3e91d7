// Notifications of devices through the push service of their browser. Each device manages only its own subscription.
import { pushKey, pushSubscription } from '../api/push.ts';
import { nothing, operation } from './operation.ts';

const own = { needs: 'view', from: 'machine', deviceOnly: true } as const;

export const push = {
	key: operation({ ...own, method: 'GET' }, '/push/key', 'The key for subscriptions, and whether this device has one', {
		reply: pushKey,
	}),
	subscribe: operation({ ...own, method: 'POST' }, '/push/subscriptions', 'Notify this device when requests are pending', {
		body: pushSubscription,
		reply: nothing,
	}),
	unsubscribe: operation({ ...own, method: 'DELETE' }, '/push/subscriptions', 'Stop notifying this device', { reply: nothing }),
	test: operation({ ...own, method: 'POST' }, '/push/test', 'Send a test notification to this device', { reply: nothing }),
} as const;
