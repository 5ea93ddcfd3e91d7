// When the user or the network is back: after sleep a dead connection looks like a quiet one.

/** Returns the function that stops it. */
export function onReturn(handler: () => void): () => void {
	const stop = new AbortController();
	const { signal } = stop;
	document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && handler(), { signal });
	// A frozen tab may become active again without having been hidden.
	document.addEventListener('resume', handler, { signal });
	for (const event of ['online', 'pageshow']) addEventListener(event, handler, { signal });
	return () => stop.abort();
}
