// Control of a terminal: one viewer at a time. Survives a lost connection for a short time.
import type { Timers } from '@roost/machine/timers';

/** Long enough for a laptop to change networks. */
export const LEASE_MS = 10_000;

export function createLease<Viewer>(deps: {
	newId: () => string;
	timers: Timers;
	graceMs: number;
	/** The holder left or did not reconnect. */
	onFree: () => void;
}) {
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
		/** The lease ID if the viewer has control now: it was free, or `id` is the current lease. */
		claim(viewer: Viewer, id?: string): string | undefined {
			if (!current) return give(viewer, deps.newId());
			return id !== undefined && id === current.id ? give(viewer, id) : undefined;
		},
		take: (viewer: Viewer): string => (current?.viewer === viewer ? current.id : give(viewer, deps.newId())),
		/** The lease of a lost connection stays reserved for `graceMs`. */
		leave(viewer: Viewer, how: 'lost' | 'left') {
			if (current?.viewer !== viewer) return;
			if (how === 'left') return expire();
			current = { id: current.id, viewer: undefined };
			cancelExpiry = deps.timers.after(deps.graceMs, expire);
		},
		holder: () => current?.viewer,
		/** Also while it is reserved. */
		isHeld: () => current !== undefined,
	};
}
