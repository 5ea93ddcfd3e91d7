// The service worker of this page: registered once, updated on request. When one of a new build takes over, the page reloads.
import { navigate } from 'wouter/use-browser-location';
import { z } from 'zod';
import { trustedScriptUrl } from './trusted-urls.ts';

export type PageWorker = {
	/** Undefined where the browser has none, such as on an address without https. */
	readonly registration: Promise<ServiceWorkerRegistration | undefined>;
	/** Looks for a new build; true if one takes over. */
	update(): Promise<boolean>;
};

export function startWorker(): PageWorker {
	const registration = 'serviceWorker' in navigator ? register(navigator.serviceWorker) : Promise.resolve(undefined);
	return {
		registration,
		async update() {
			const known = await registration;
			// The server may be gone again.
			await known?.update().catch(() => undefined);
			return Boolean(known?.installing ?? known?.waiting);
		},
	};
}

/** A page without a worker works, but not without its server. */
async function register(container: ServiceWorkerContainer): Promise<ServiceWorkerRegistration | undefined> {
	reloadOnTakeover(container);
	openOnRequest(container);
	if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
	return await container.register(trustedScriptUrl('/sw.js'), { updateViaCache: 'none' }).catch(() => undefined);
}

/** The first worker is of the build that the page itself was loaded from. */
function reloadOnTakeover(container: ServiceWorkerContainer): void {
	let isFirst = container.controller === null;
	container.addEventListener('controllerchange', () => {
		if (isFirst) isFirst = false;
		else location.reload();
	});
}

const openMessage = z.object({ type: z.literal('open'), path: z.string().regex(/^\/(?:\?|$)/) });

/** A notification was tapped. */
function openOnRequest(container: ServiceWorkerContainer): void {
	container.addEventListener('message', ({ data }) => {
		const message = openMessage.safeParse(data).data;
		if (message) navigate(message.path);
	});
}
