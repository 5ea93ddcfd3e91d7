// The logins of browsers: each came with a ticket, holds a cookie, and ends when it is too old, revoked or crowded out.
import { createHash, randomBytes } from 'node:crypto';

const MAX_LOGINS = 100;

/** A name for a login that opens nothing: the digest of its secret. */
export type LoginId = string;

export type Logins = Disposable & {
	/** Opens a login and returns the secret of its cookie. */
	open(): string;
	/** Which login a secret opens. */
	find(secret: string): LoginId | undefined;
	end(id: LoginId): void;
	/** How many there were. */
	endAll(): number;
	/** Told once of each login that ended. Returns the unsubscribe function. */
	onEnd(handler: (id: LoginId) => void): () => void;
};

export function createLogins(deps: { now: () => number; loginMs: number }): Logins {
	const open = new Map<LoginId, { until: number; timer: NodeJS.Timeout }>();
	const handlers = new Set<(id: LoginId) => void>();

	function end(id: LoginId): void {
		const login = open.get(id);
		if (!login) return;
		clearTimeout(login.timer);
		open.delete(id);
		for (const handler of handlers) handler(id);
	}

	function endAll(): number {
		const ids = [...open.keys()];
		for (const id of ids) end(id);
		return ids.length;
	}

	return {
		open() {
			const secret = randomBytes(32).toString('base64url');
			const id = toId(secret);
			open.set(id, { until: deps.now() + deps.loginMs, timer: setTimeout(end, deps.loginMs, id).unref() });
			const oldest = open.keys().next();
			if (open.size > MAX_LOGINS && !oldest.done) end(oldest.value);
			return secret;
		},
		find(secret) {
			const id = toId(secret);
			const login = open.get(id);
			if (login && deps.now() < login.until) return id;
			end(id);
			return undefined;
		},
		end,
		endAll,
		onEnd(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		[Symbol.dispose]: () => void endAll(),
	};
}

/** By digest, so that a lookup tells nothing about how much of a secret was right. */
function toId(secret: string): LoginId {
	return createHash('sha256').update(secret).digest('hex');
}
