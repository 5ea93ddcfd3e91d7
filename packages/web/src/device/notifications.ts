// Notifications of this browser: whether they are possible, and turning them on and off.
import type { Reply } from '@roost/client/api-call';
import type { PushSubscriptionBody } from '@roost/protocol/api/push';
import { pushSubscription } from '@roost/protocol/api/push';
import type { PageWorker } from './worker.ts';

/** `ready`: they can be turned on. */
export type Support = 'ready' | 'insecure' | 'home-screen' | 'unsupported' | 'blocked';

export type Browser = {
	isSecure: boolean;
	isApplePhone: boolean;
	isInstalled: boolean;
	/** Null where there are no notifications. */
	permission: NotificationPermission | null;
	hasWorker: boolean;
};

export function supportOf({ isSecure, isApplePhone, isInstalled, permission, hasWorker }: Browser): Support {
	if (!isSecure) return 'insecure';
	if (isApplePhone && !isInstalled) return 'home-screen';
	if (permission === null || !hasWorker) return 'unsupported';
	return permission === 'denied' ? 'blocked' : 'ready';
}

export function thisBrowser(): Browser {
	return {
		isSecure: isSecureContext,
		isApplePhone: /iPhone|iPad/.test(navigator.userAgent),
		isInstalled: matchMedia('(display-mode: standalone)').matches,
		permission: 'Notification' in globalThis ? Notification.permission : null,
		hasWorker: 'serviceWorker' in navigator,
	};
}

const WANTED = 'notifications';

/** Turned on by the user, and still permitted. */
export function areNotificationsOn(): boolean {
	return localStorage.getItem(WANTED) === 'on' && thisBrowser().permission === 'granted';
}

export type PushApi = {
	key(): Promise<Reply<{ publicKey: string; subscribed: boolean }>>;
	subscribe(body: PushSubscriptionBody): Promise<Reply<void>>;
	unsubscribe(): Promise<Reply<void>>;
};

/** Resolves with what does not work, if anything. */
export async function turnOn(push: PushApi, worker: Pick<PageWorker, 'registration'>): Promise<string | undefined> {
	if ((await Notification.requestPermission()) !== 'granted') return 'This browser does not permit notifications.';
	localStorage.setItem(WANTED, 'on');
	const registration = await worker.registration;
	if (!registration) return ONLY_OPEN;
	const key = await push.key();
	if (!key.ok) return key.error.message;
	try {
		const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key.value.publicKey });
		const { endpoint, keys } = made.toJSON();
		const subscribed = await push.subscribe(pushSubscription.parse({ endpoint, keys }));
		return subscribed.ok ? undefined : subscribed.error.message;
	} catch {
		// The browser has no push service, or cannot reach it.
		return ONLY_OPEN;
	}
}

const ONLY_OPEN = 'The push service of this browser cannot be used: you are notified only while Roost is open in a tab.';

export async function turnOff(
	push: Pick<PushApi, 'unsubscribe'>,
	worker: Pick<PageWorker, 'registration'>,
): Promise<string | undefined> {
	await forgetNotifications(worker);
	const reply = await push.unsubscribe();
	return reply.ok ? undefined : reply.error.message;
}

/** In this browser; the runner forgets the subscription with the device. */
export async function forgetNotifications(worker: Pick<PageWorker, 'registration'>): Promise<void> {
	localStorage.removeItem(WANTED);
	const kept = await (await worker.registration)?.pushManager.getSubscription().catch(() => null);
	await kept?.unsubscribe().catch(() => false);
}
