// A value that changes often, for components: one render per frame at most, and none while the tab is hidden or a pointer is down.
import { watchPressed } from './pressed.ts';

export type Paced<T> = Disposable & { subscribe(handler: () => void): () => void; snapshot(): T };

/** `onChange` calls its handler after every change, and returns the function that ends that. */
export function createPaced<T>(read: () => T, onChange: (handler: () => void) => () => void): Paced<T> {
	const handlers = new Set<() => void>();
	let shown = read();
	let frame = 0;

	function show(): void {
		frame = 0;
		if (pressed.isPressed()) return;
		shown = read();
		for (const handler of handlers) handler();
	}

	function request(): void {
		if (frame === 0 && document.visibilityState === 'visible') frame = requestAnimationFrame(show);
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
			cancelAnimationFrame(frame);
			document.removeEventListener('visibilitychange', request);
		},
	};
}
