// The notification of pending requests, the same from the page and from its worker: never the text of a request.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';

/** All requests share one notification. */
export const TAG = 'asks';

/** With a new request, an existing notification is shown anew. */
export type Notice = { readonly title: string; readonly options: NotificationOptions & { renotify: boolean } };

export type Pending = { count: number; ask?: string | undefined; runner: string; test?: boolean | undefined };

export function toNotice({ count, ask, runner, test = false }: Pending): Notice {
	return {
		title: test ? 'Notifications work' : `${plural(count, 'request')} pending`,
		options: {
			body: `Roost on ${sanitiseLine(runner)}`,
			tag: TAG,
			icon: '/icon-192.png',
			renotify: count > 0 || test,
			silent: count === 0 && !test,
			data: { path: ask === undefined ? '/' : `/?ask=${encodeURIComponent(ask)}` },
		},
	};
}
