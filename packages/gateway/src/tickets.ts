// Tickets: secrets that may stand in a URL because they work once and for seconds only.
import { randomBytes } from 'node:crypto';

const MAX_OPEN = 100;

export type Tickets = {
	issue(): { ticket: string; expiresAt: number };
	/** True once. */
	redeem(ticket: string): boolean;
	/** None that was issued so far works any more. */
	forget(): void;
};

export function createTickets(deps: { now: () => number; lifeMs: number }): Tickets {
	const open = new Map<string, number>();
	return {
		issue() {
			const ticket = randomBytes(32).toString('base64url');
			const expiresAt = deps.now() + deps.lifeMs;
			open.set(ticket, expiresAt);
			const oldest = open.keys().next();
			if (open.size > MAX_OPEN && !oldest.done) open.delete(oldest.value);
			return { ticket, expiresAt };
		},
		redeem(ticket) {
			const expiresAt = open.get(ticket);
			open.delete(ticket);
			return expiresAt !== undefined && deps.now() < expiresAt;
		},
		forget: () => open.clear(),
	};
}
