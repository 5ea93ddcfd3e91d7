// The runners of the page for components, and the one that a part of the page is about.
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { Router, useRouter } from 'wouter';
import { useBrowserLocation } from 'wouter/use-browser-location';
import type { Entrance } from './connect.ts';
import type { FleetState, FleetWorld, OpenedRunner, ServedRunner } from './fleet.ts';
import { createPaced, type Paced } from './paced.ts';
import { ConnectedProvider } from './use-connected.ts';
import { WorldProvider } from './use-world.ts';

export type ShownFleet = Entrance & { readonly paced: Paced<FleetState>; readonly worlds: Paced<readonly FleetWorld[]> };

export function toShownFleet(entrance: Entrance): ShownFleet {
	const { state, worlds, onChange } = entrance.fleet;
	return { ...entrance, paced: createPaced(state, onChange), worlds: createPaced(worlds, onChange) };
}

const FleetContext = createContext<ShownFleet | null>(null);
export const FleetProvider = FleetContext.Provider;

export function useEntrance(): ShownFleet {
	const shown = useContext(FleetContext);
	if (!shown) throw new Error('no fleet: render inside FleetProvider');
	return shown;
}

export function useFleet(): FleetState {
	const { subscribe, snapshot } = useEntrance().paced;
	return useSyncExternalStore(subscribe, snapshot);
}

/** Of every runner whose stream is open. */
export function useWorlds(): readonly FleetWorld[] {
	const { subscribe, snapshot } = useEntrance().worlds;
	return useSyncExternalStore(subscribe, snapshot);
}

const RunnerContext = createContext<ServedRunner | null>(null);

/** The runner of this part of the page. */
export function useRunner(): ServedRunner {
	const runner = useContext(RunnerContext);
	if (!runner) throw new Error('no runner: render inside RunnerScope');
	return runner;
}

/** Addresses name the runner only where there are several. */
export function useHasSeveral(): boolean {
	return (useFleet().runners?.length ?? 0) > 1;
}

export function runnerBase({ id }: Pick<ServedRunner, 'id'>): string {
	return id === undefined ? '' : `/r/${encodeURIComponent(id)}`;
}

type ScopeProps = { runner: ServedRunner & { opened: OpenedRunner }; base?: string | undefined; children: ReactNode };

/** Everything in it reads from this runner, answers to it, and links to its pages. */
export function RunnerScope({ runner, base: given, children }: ScopeProps) {
	const { base: around } = useRouter();
	const hasSeveral = useHasSeveral();
	const { connected, shown } = runner.opened;
	const base = given ?? (hasSeveral ? runnerBase(runner) : around);
	return (
		<RunnerContext.Provider value={runner}>
			<ConnectedProvider value={connected}>
				<WorldProvider value={shown}>
					{/* With its own hook a router does not continue the base around it. */}
					<Router hook={useBrowserLocation} base={base}>
						{children}
					</Router>
				</WorldProvider>
			</ConnectedProvider>
		</RunnerContext.Provider>
	);
}

export function isOpen(runner: ServedRunner | undefined): runner is ServedRunner & { opened: OpenedRunner } {
	return runner?.opened !== undefined;
}
