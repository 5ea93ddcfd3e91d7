// The service worker: keeps the shell and the built files of its own build, so that the page opens without its server,
// and shows notifications while it is closed.
import { pushMessage } from '@roost/protocol/api/push';
import { z } from 'zod';
import { TAG, toNotice } from '../device/pending-notice.ts';
import { routeOf } from './route-of.ts';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: another build has another cache, and removes this one. */
declare const ROOST_SHELL: { readonly build: string; readonly files: readonly string[] };

const { build, files } = ROOST_SHELL;
const PREFIX = 'roost-';
const CACHE = `${PREFIX}${build}`;
const SHELL = '/';

// The policy of the page forbids `eval`, which zod would otherwise try once.
z.config({ jitless: true });
self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
	const route = routeOf(event.request, self.location.origin, files);
	if (route !== 'network') event.respondWith(answer(route === 'shell' ? new Request(SHELL) : event.request));
});

self.addEventListener('push', (event) => event.waitUntil(takePush(event.data)));
self.addEventListener('notificationclick', (event) => {
	event.notification.close();
	event.waitUntil(open(event.notification.data));
});

async function keepFiles(): Promise<void> {
	const cache = await caches.open(CACHE);
	// Names of assets contain a hash, so copies that the browser has are right; the others are checked.
	const requests = files.map((path) =>
		path.startsWith('/assets/') ? new Request(path) : new Request(path, { cache: 'no-cache' }),
	);
	await cache.addAll(requests);
	await self.skipWaiting();
}

async function takeOver(): Promise<void> {
	const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
	await Promise.all(others.map((name) => caches.delete(name)));
	await self.clients.claim();
}

async function answer(request: Request): Promise<Response> {
	const cache = await caches.open(CACHE);
	const kept = await cache.match(request, { ignoreVary: true });
	if (kept) return kept;
	const reply = await fetch(request);
	const { pathname } = new URL(request.url);
	if (reply.ok && (pathname === SHELL || pathname.startsWith('/assets/'))) await cache.put(request, reply.clone());
	return reply;
}

async function takePush(data: PushMessageData | null): Promise<void> {
	const message = pushMessage.parse(data?.json());
	const { title, options } = toNotice(message);
	await navigator.setAppBadge?.(message.count).catch(() => undefined);
	const windows = await self.clients.matchAll({ type: 'window' });
	if (!message.test && windows.some(({ visibilityState }) => visibilityState === 'visible')) return;
	// Also if it is closed at once: browsers end subscriptions that show nothing.
	await self.registration.showNotification(title, options);
	if (message.count === 0 && !message.test)
		for (const shown of await self.registration.getNotifications({ tag: TAG })) shown.close();
}

/** In a window that is open, or a new one. */
async function open(data: unknown): Promise<void> {
	const { path } = z.object({ path: z.string() }).parse(data);
	const [client] = await self.clients.matchAll({ type: 'window' });
	if (!client) {
		await self.clients.openWindow(path);
		return;
	}
	client.postMessage({ type: 'open', path });
	await client.focus();
}
