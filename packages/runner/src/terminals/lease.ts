// Who controls a terminal: one viewer at a time, for as long as it is there and a moment longer, so that a lost connection costs nothing.
import type { Timers } from '@roost/machine/timers';

export type Lease<Viewer> = {
	/** The viewer's own lease id if it has control now: it was free, or the id is that of the one who had it. */
	claim(viewer: Viewer, id?: string): string | undefined;
	/** Control goes to this viewer, whoever has it. */
	take(viewer: Viewer): string;
	/** The viewer is gone; where its connection was only lost, its lease waits for it. */
	leave(viewer: Viewer, how: 'lost' | 'left'): void;
	holder(): Viewer | undefined;
	/** Somebody has control, or may still come back to it. */
	isHeld(): boolean;
};

/** Long enough for a laptop to change networks. */
export const LEASE_MS = 10_000;

export function createLease<Viewer>(deps: {
	newId: () => string;
	timers: Timers;
	graceMs: number;
	/** It is free: its holder left, or did not come back. */
	onFree: () => void;
}): Lease<Viewer> {
	let current: { id: string; viewer: Viewer | undefined } | undefined;
	let cancelExpiry = () => {};

	function give(viewer: Viewer, id: string): string {
		cancelExpiry();
		current = { id, viewer };
		return id;
	}

	function expire(): void {
		current = undefined;
		deps.onFree();
	}

	return {
		claim(viewer, id) {
			if (!current) return give(viewer, deps.newId());
			// The same lease from a new connection: the old one may not know yet that it is gone.
			return id !== undefined && id === current.id ? give(viewer, id) : undefined;
		},
		take: (viewer) => (current?.viewer === viewer ? current.id : give(viewer, deps.newId())),
		leave(viewer, how) {
			if (current?.viewer !== viewer) return;
			if (how === 'left') {
				expire();
				return;
			}
			current = { id: current.id, viewer: undefined };
			cancelExpiry = deps.timers.after(deps.graceMs, expire);
		},
		holder: () => current?.viewer,
		isHeld: () => current !== undefined,
	};
}
