// The world for components: one render per frame at most, and none while the tab is hidden or a pointer is down.
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PageSource } from './page-source.ts';
import type { PageWorld } from './page-world.ts';
import { watchPressed } from './pressed.ts';

export type Paced = { source: PageSource; subscribe(handler: () => void): () => void; snapshot(): PageWorld };

export function createPaced(source: PageSource): Paced {
	const handlers = new Set<() => void>();
	let shown = source.world();
	let frame = 0;

	function show(): void {
		frame = 0;
		if (pressed.isPressed()) return;
		shown = source.world();
		for (const handler of handlers) handler();
	}

	function request(): void {
		if (frame === 0 && document.visibilityState === 'visible') frame = requestAnimationFrame(show);
	}

	const pressed = watchPressed(request);
	source.onChange(request);
	document.addEventListener('visibilitychange', request);
	return {
		source,
		subscribe(handler) {
			handlers.add(handler);
			return () => void handlers.delete(handler);
		},
		snapshot: () => shown,
	};
}

const PacedContext = createContext<Paced | null>(null);
export const PacedProvider = PacedContext.Provider;

export function useSource(): PageSource {
	return usePaced().source;
}

export function useWorld(): PageWorld {
	const { subscribe, snapshot } = usePaced();
	return useSyncExternalStore(subscribe, snapshot);
}

function usePaced(): Paced {
	const paced = useContext(PacedContext);
	if (!paced) throw new Error('no world: render inside PacedProvider');
	return paced;
}
