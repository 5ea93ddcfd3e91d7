// Whether the page is offline: the runner cannot be reached, and it is not just a short interruption.
import type { StreamStatus } from '@roost/client/connection';

export type Offline = {
	/** When the runner was last reached; null if it never was. */
	readonly seenAt: number | null;
};

/** A runner that restarts is back sooner; until then answers are kept and sent. */
export const SHORT_MS = 20_000;

/** `lostFor`: how long the connection has been lost. */
export function isOffline({ state, reason }: StreamStatus, lostFor: number, hasNetwork: boolean): boolean {
	if (state === 'live' || state === 'incompatible') return false;
	if (!hasNetwork) return true;
	return state === 'connecting' ? reason !== undefined : lostFor >= SHORT_MS;
}

export type Reach = {
	/** The connection changed. */
	note(connection: StreamStatus): void;
	offline(): Offline | null;
};

export function watchReach(now: () => number): Reach {
	let connection: StreamStatus = { state: 'connecting', since: 0 };
	let lostAt = now();
	let seenAt = readSeenAt();

	function noteSeen(): void {
		if (connection.state !== 'live') return;
		seenAt = now();
		localStorage.setItem(SEEN_AT, String(seenAt));
	}

	// The page may be closed without a further event.
	document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && noteSeen());
	return {
		note(changed) {
			if (changed.state !== 'live' && connection.state === 'live') {
				noteSeen();
				lostAt = now();
			}
			connection = changed;
		},
		offline: () => (isOffline(connection, now() - lostAt, navigator.onLine) ? { seenAt } : null),
	};
}

/** The time alone is kept: requests and sessions must not stay in a device that cannot be reached to revoke it. */
const SEEN_AT = 'seen-at';

function readSeenAt(): number | null {
	const kept = Number(localStorage.getItem(SEEN_AT));
	return kept > 0 ? kept : null;
}

export function forgetSeenAt(): void {
	localStorage.removeItem(SEEN_AT);
}
