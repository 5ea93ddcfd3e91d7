// The world for components.
import { createContext, useContext, useSyncExternalStore } from 'react';
import { createPaced, type Paced } from './paced.ts';
import type { PageSource } from './page-source.ts';
import type { PageWorld } from './page-world.ts';

export type Shown = { readonly source: PageSource; readonly world: Paced<PageWorld> };

export function toShown(source: PageSource): Shown {
	return { source, world: createPaced(source.world, source.onChange) };
}

const WorldContext = createContext<Shown | null>(null);
export const WorldProvider = WorldContext.Provider;

export function useSource(): PageSource {
	return useShown().source;
}

export function useWorld(): PageWorld {
	const { subscribe, snapshot } = useShown().world;
	return useSyncExternalStore(subscribe, snapshot);
}

function useShown(): Shown {
	const shown = useContext(WorldContext);
	if (!shown) throw new Error('no world: render inside WorldProvider');
	return shown;
}
