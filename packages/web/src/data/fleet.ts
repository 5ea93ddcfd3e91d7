// The runners that this page shows: a runner serves the page for itself, a hub for all runners that its user may see.
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import type { ServerKind } from '../device/server-kind.ts';
import type { Connected } from './connect.ts';
import type { PageSource } from './page-source.ts';
import type { PageWorld } from './page-world.ts';
import type { Shown } from './use-world.ts';

/** With an API, a stream and a world of its own. */
export type OpenedRunner = {
	readonly connected: Connected;
	readonly shown: Shown;
	close(): void;
};

/** What the list of runners needs of an open one. */
export type Followed = {
	readonly connected: { readonly source: Pick<PageSource, 'world' | 'onChange' | 'setAway' | 'logOut' | 'tick'> };
	close(): void;
};

export type ServedRunner<R = OpenedRunner> = {
	/** Undefined for the runner that serves the page itself: its operations are at the root. */
	readonly id: RunnerId | undefined;
	/** As the hub lists it. */
	readonly row: RunnerRow | undefined;
	/** Undefined for the many beyond those whose streams are open. */
	readonly opened: R | undefined;
};

export type FleetState<R = OpenedRunner> = {
	/** Undefined until it is known what serves the page. */
	readonly kind: ServerKind | undefined;
	/** Undefined until they were read. */
	readonly runners: readonly ServedRunner<R>[] | undefined;
	/** Why this browser is not logged in. */
	readonly out: string | undefined;
};

export type FleetWorld<R = OpenedRunner> = { readonly runner: ServedRunner<R>; readonly world: PageWorld };

export type Fleet<R = OpenedRunner> = {
	state(): FleetState<R>;
	/** Of every runner that is open. */
	worlds(): readonly FleetWorld<R>[];
	/** Called after every change of the state or of a world. Returns the unsubscribe function. */
	onChange(handler: () => void): () => void;
	/** Its stream opens, if it was one of the many. */
	open(id: RunnerId): void;
	/** The runner that serves the page. */
	takeOwn(): void;
	/** As the hub lists them now. */
	take(rows: readonly RunnerRow[]): void;
	logOut(why: string): void;
	tick(): void;
};

/** Streams that are open at once. */
const MOST_OPEN = 32;

export function createFleet<R extends Followed>(openRunner: (id: RunnerId | undefined) => R): Fleet<R> {
	const handlers = new Set<() => void>();
	const opened = new Map<RunnerId | undefined, R>();
	let state: FleetState<R> = { kind: undefined, runners: undefined, out: undefined };

	function emit(): void {
		for (const handler of handlers) handler();
	}

	function change(part: Partial<FleetState<R>>): void {
		state = { ...state, ...part };
		emit();
	}

	function openOnce(id: RunnerId | undefined): void {
		if (opened.has(id)) return;
		const one = openRunner(id);
		opened.set(id, one);
		one.connected.source.onChange(emit);
	}

	function show(rows: readonly RunnerRow[]): void {
		for (const { id, name, online, since } of rows) {
			opened.get(id)?.connected.source.setAway(online ? null : { runner: name, since });
		}
		const runners = rows.map((row): ServedRunner<R> => ({ id: row.id, row, opened: opened.get(row.id) }));
		if (!isSame(runners, state.runners)) change({ kind: 'hub', runners });
	}

	function closeMissing(rows: readonly RunnerRow[]): void {
		for (const [id, one] of opened) {
			if (rows.some((row) => row.id === id)) continue;
			opened.delete(id);
			one.close();
		}
	}

	return {
		state: () => state,
		worlds: () =>
			(state.runners ?? []).flatMap((runner) =>
				runner.opened ? [{ runner, world: runner.opened.connected.source.world() }] : [],
			),
		onChange(handler) {
			handlers.add(handler);
			return () => void handlers.delete(handler);
		},
		open(id) {
			openOnce(id);
			show((state.runners ?? []).flatMap(({ row }) => row ?? []));
		},
		takeOwn() {
			openOnce(undefined);
			change({ kind: 'runner', runners: [{ id: undefined, row: undefined, opened: opened.get(undefined) }] });
		},
		take(rows) {
			if (state.out !== undefined) return;
			closeMissing(rows);
			for (const { id } of rows.toSorted((a, b) => Number(b.online) - Number(a.online)))
				if (opened.size < MOST_OPEN) openOnce(id);
			show(rows);
		},
		logOut(why) {
			for (const one of opened.values()) one.close();
			for (const { connected } of opened.values()) connected.source.logOut(why);
			change({ out: why });
		},
		tick() {
			for (const { connected } of opened.values()) connected.source.tick();
		},
	};
}

/** The list is read often, and rarely changes. */
function isSame<R>(now: readonly ServedRunner<R>[], before: readonly ServedRunner<R>[] | undefined): boolean {
	const isLike = (one: ServedRunner<R>, other: ServedRunner<R> | undefined) =>
		one.opened === other?.opened && JSON.stringify(one.row) === JSON.stringify(other?.row);
	return now.length === before?.length && now.every((one, at) => isLike(one, before[at]));
}
