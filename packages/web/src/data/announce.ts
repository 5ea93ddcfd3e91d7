// Announces pending requests outside the page: in its title, on its icon, and with a notification while it is hidden.
import { areNotificationsOn } from '../device/notifications.ts';
import { TAG, toNotice } from '../device/pending-notice.ts';
import type { PageWorker } from '../device/worker.ts';
import type { Fleet } from './fleet.ts';

export function announceAsks(
	fleet: Pick<Fleet, 'worlds' | 'state' | 'onChange'>,
	worker: Pick<PageWorker, 'registration'>,
): void {
	let known: ReadonlySet<string> = new Set();

	async function announce(): Promise<void> {
		const asks = fleet.worlds().flatMap(({ runner, world }) => world.asks.map((ask) => ({ ask, key: `${runner.id} ${ask.id}` })));
		const isNew = asks.some(({ key }) => !known.has(key));
		if (!isNew && asks.length === known.size) return;
		known = new Set(asks.map(({ key }) => key));
		document.title = asks.length === 0 ? 'Roost' : `(${asks.length}) Roost`;
		// Not every browser has a badge.
		await navigator.setAppBadge?.(asks.length).catch(() => undefined);
		const [oldest] = asks.map(({ ask }) => ask).sort((a, b) => a.openedAt - b.openedAt);
		if (!oldest) await closeNotifications();
		else if (isNew && isHidden() && areNotificationsOn()) {
			const { title, options } = toNotice({ count: asks.length, ask: oldest.id, runner: location.host });
			await (await worker.registration)?.showNotification(title, options);
		}
	}

	function isHidden(): boolean {
		return document.visibilityState === 'hidden' && fleet.state().out === undefined;
	}

	/** Answered, or seen. */
	async function closeNotifications(): Promise<void> {
		const shown = await (await worker.registration)?.getNotifications({ tag: TAG });
		for (const notification of shown ?? []) notification.close();
	}

	fleet.onChange(() => void announce());
	document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void closeNotifications());
}
