// Tickets: secrets that work once and for seconds only, each for one thing.
import { createHash, randomBytes } from 'node:crypto';

const MAX_OPEN = 100;

export type Tickets<T> = {
	issue(purpose: T): { ticket: string; expiresAt: number };
	/** What it was issued for, once. */
	redeem(ticket: string): T | undefined;
	/** Voids all issued so far. */
	forget(): void;
};

export function createTickets<T>(deps: { now: () => number; lifeMs: number }): Tickets<T> {
	const open = new Map<string, { purpose: T; expiresAt: number }>();
	return {
		issue(purpose) {
			const ticket = newSecret();
			const expiresAt = deps.now() + deps.lifeMs;
			open.set(toDigest(ticket), { purpose, expiresAt });
			const oldest = open.keys().next();
			if (open.size > MAX_OPEN && !oldest.done) open.delete(oldest.value);
			return { ticket, expiresAt };
		},
		redeem(ticket) {
			const digest = toDigest(ticket);
			const found = open.get(digest);
			open.delete(digest);
			return found && deps.now() < found.expiresAt ? found.purpose : undefined;
		},
		forget: () => open.clear(),
	};
}

/** 256 bits. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** What a secret is kept as: a lookup reveals nothing about how much of a guess was right. */
export function toDigest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
