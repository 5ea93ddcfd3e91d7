// A value that changes often, for components: one render per frame at most, and none while the tab is hidden or a pointer is down.
import { watchPressed } from './pressed.ts';

export type Paced<T> = Disposable & { subscribe(handler: () => void): () => void; snapshot(): T };

/** `onChange` calls its handler after every change, and returns the function that ends that. */
export function createPaced<T>(read: () => T, onChange: (handler: () => void) => () => void): Paced<T> {
	const handlers = new Set<() => void>();
	let shown = read();

	function show(): void {
		if (pressed.isPressed()) return;
		shown = read();
		for (const handler of handlers) handler();
	}

	function request(): void {
		if (document.visibilityState === 'visible') showInNextFrame(show);
	}

	const pressed = watchPressed(request);
	const end = onChange(request);
	document.addEventListener('visibilitychange', request);
	return {
		subscribe(handler) {
			handlers.add(handler);
			return () => void handlers.delete(handler);
		},
		snapshot: () => shown,
		[Symbol.dispose]() {
			end();
			pressed[Symbol.dispose]();
			due.delete(show);
			document.removeEventListener('visibilitychange', request);
		},
	};
}

const due = new Set<() => void>();

/** All values that changed are shown in one callback, so that they are rendered together. */
function showInNextFrame(show: () => void): void {
	if (due.size === 0)
		requestAnimationFrame(() => {
			const shows = [...due];
			due.clear();
			for (const one of shows) one();
		});
	due.add(show);
}
