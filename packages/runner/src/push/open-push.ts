// Web push of a runner: subscriptions of devices, and pushes to them. Nothing is sent before a user turns it on in a browser.
import type { KeyObject } from 'node:crypto';
import type { PushBook } from '@roost/gateway/operations/backend';
import { realTimers } from '@roost/machine/timers';
import type { PushMessage, PushSubscriptionBody } from '@roost/protocol/api/push';
import { AppError } from '@roost/protocol/app-error';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { toWho } from '../record/runner-stream.ts';
import { createDeliveries } from './deliveries.ts';
import { createFresh, encryptPush } from './encrypt-push.ts';
import { type Posted, postPush } from './post-push.ts';
import { isPushEndpoint } from './push-hosts.ts';
import { keepPushKey, toPublicKey, toVapidHeader } from './push-key.ts';
import { openSubscriptions, type SubscriptionsDeps } from './subscriptions.ts';

export type OpenPush = Disposable & {
	book: PushBook;
	/** To every device with notifications. */
	send(message: Omit<PushMessage, 'runner'>): void;
};

export type PushDeps = SubscriptionsDeps & {
	/** The name of the runner. */
	name: string;
	/** Push services besides the known ones. */
	hosts: readonly string[];
	now: () => number;
};

/** As long as most requests wait. */
const TTL_SECONDS = 60 * 60;

export function openPush(deps: PushDeps): Result<OpenPush> {
	const subscriptions = openSubscriptions(deps);
	if (!subscriptions.ok) return subscriptions;
	const kept = subscriptions.value;
	const closing = new AbortController();
	let key: KeyObject | undefined;

	function ownKey(): Result<KeyObject> {
		const found = key ? ok(key) : keepPushKey(deps.home);
		if (found.ok) key = found.value;
		return found;
	}

	async function post(device: DeviceId, message: PushMessage): Promise<Posted> {
		const subscription = kept.find(device);
		const signer = ownKey();
		if (!subscription) return { type: 'gone' };
		const fault = findFault(subscription, deps.hosts);
		if (fault) return { type: 'refused', why: fault.message };
		if (!signer.ok) return { type: 'refused', why: signer.error.message };
		const { endpoint } = subscription;
		const contact = toContact(deps.devices.find(device)?.origin);
		const authorization = toVapidHeader(signer.value, { endpoint, contact, now: deps.now() });
		return await postPush({
			endpoint,
			authorization,
			body: encrypt(message, subscription),
			ttlSeconds: TTL_SECONDS,
			signal: closing.signal,
		});
	}

	const deliveries = createDeliveries({
		post,
		onGone: (device) => void kept.remove(device, 'system', 'the browser ended its subscription'),
		timers: realTimers,
		warn: deps.warn,
	});
	return ok({
		book: {
			publicKey() {
				const found = ownKey();
				return found.ok ? ok(toPublicKey(found.value)) : found;
			},
			has: (device) => kept.find(device) !== undefined,
			async subscribe(device, subscription, by) {
				const fault = findFault(subscription, deps.hosts);
				return fault ? err(fault) : await kept.add(device, subscription, toWho(by));
			},
			unsubscribe: (device, by) => kept.remove(device, toWho(by)),
			async test(device) {
				if (!kept.find(device)) return err(new AppError('conflict', 'Notifications are off on this device. Turn them on first.'));
				const posted = await post(device, { count: 0, runner: deps.name, test: true });
				return posted.type === 'accepted'
					? ok(undefined)
					: err(new AppError('internal', `The test was not sent: ${whyNot(posted)}.`));
			},
			forget: kept.forget,
		},
		send(message) {
			for (const device of kept.devices()) deliveries.send(device, { ...message, runner: deps.name });
		},
		[Symbol.dispose]() {
			deliveries[Symbol.dispose]();
			closing.abort();
		},
	});
}

function encrypt(message: PushMessage, { keys }: PushSubscriptionBody): Buffer {
	const to = { p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') };
	return encryptPush(Buffer.from(JSON.stringify(message)), to, createFresh());
}

/** A subscription is checked by using it: a key that is no point of the curve would fail at every push. */
function findFault(subscription: PushSubscriptionBody, hosts: readonly string[]): AppError | undefined {
	const host = URL.parse(subscription.endpoint)?.host ?? '';
	if (!isPushEndpoint(subscription.endpoint, hosts)) {
		const why = `"${host}" is not a push service that Roost sends to. To allow it, add it to push.hosts in config.yaml.`;
		return new AppError('denied', why);
	}
	try {
		encrypt({ count: 0, runner: '' }, subscription);
		return undefined;
	} catch {
		return new AppError('bad_request', 'body.keys.p256dh: not a point of the curve');
	}
}

/** The address that the browser subscribed from; a service knows it already. */
function toContact(origin: string | undefined): string {
	return origin?.startsWith('https:') ? origin : 'mailto:notifications@roost.invalid';
}

function whyNot(posted: Exclude<Posted, { type: 'accepted' }>): string {
	return posted.type === 'gone' ? 'the browser ended its subscription; turn notifications off and on again' : posted.why;
}
