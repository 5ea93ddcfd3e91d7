// Announces pending requests outside the page: in its title, on its icon, and with a notification while it is hidden.
import { areNotificationsOn } from '../device/notifications.ts';
import { TAG, toNotice } from '../device/pending-notice.ts';
import type { PageWorker } from '../device/worker.ts';
import type { PageSource } from './page-source.ts';

export function announceAsks(source: PageSource, worker: Pick<PageWorker, 'registration'>): void {
	let known: ReadonlySet<string> = new Set();

	async function announce(): Promise<void> {
		const { asks, login } = source.world();
		const isNew = asks.some(({ id }) => !known.has(id));
		if (!isNew && asks.length === known.size) return;
		known = new Set(asks.map(({ id }) => id));
		document.title = asks.length === 0 ? 'Roost' : `(${asks.length}) Roost`;
		// Not every browser has a badge.
		await navigator.setAppBadge?.(asks.length).catch(() => undefined);
		const [oldest] = asks;
		if (!oldest) await closeNotifications();
		else if (isNew && document.visibilityState === 'hidden' && login.state === 'in' && areNotificationsOn()) {
			const { title, options } = toNotice({ count: asks.length, ask: oldest.id, runner: location.host });
			await (await worker.registration)?.showNotification(title, options);
		}
	}

	/** Answered, or seen. */
	async function closeNotifications(): Promise<void> {
		const shown = await (await worker.registration)?.getNotifications({ tag: TAG });
		for (const notification of shown ?? []) notification.close();
	}

	source.onChange(() => void announce());
	document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void closeNotifications());
}
