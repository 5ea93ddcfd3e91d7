// Where the service worker answers a request from: only documents and built files come from its cache.

export type Route = 'shell' | 'file' | 'network';

/** Everything else goes to the network as if there were no worker: the API above all, whose replies are never kept. */
export function routeOf(request: Pick<Request, 'method' | 'mode' | 'url'>, origin: string, files: readonly string[]): Route {
	const url = new URL(request.url);
	if (request.method !== 'GET' || url.origin !== origin || NOT_PAGE.test(url.pathname)) return 'network';
	if (request.mode === 'navigate') return 'shell';
	return url.pathname.startsWith('/assets/') || files.includes(url.pathname) ? 'file' : 'network';
}

const NOT_PAGE = /^\/(?:api|healthz|metrics|sw\.js)(?:\/|$)/;
