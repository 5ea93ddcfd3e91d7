// What proves who calls: the bearer token, or the cookie of a browser that came with a ticket.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const MAX_LOGINS = 100;

export type Credentials = {
	isToken(candidate: string): boolean;
	isLogin(candidate: string): boolean;
	/** Opens a login for a browser and returns the secret of its cookie. */
	logIn(): string;
};

export function createCredentials(deps: { token: string; now: () => number; loginMs: number }): Credentials {
	const token = digest(deps.token);
	/** By digest, so that a lookup tells nothing about how much of a secret was right. */
	const logins = new Map<string, number>();
	return {
		isToken: (candidate) => timingSafeEqual(token, digest(candidate)),
		isLogin: (candidate) => deps.now() < (logins.get(digest(candidate).toString('hex')) ?? 0),
		logIn() {
			const secret = randomBytes(32).toString('base64url');
			logins.set(digest(secret).toString('hex'), deps.now() + deps.loginMs);
			const oldest = logins.keys().next();
			if (logins.size > MAX_LOGINS && !oldest.done) logins.delete(oldest.value);
			return secret;
		},
	};
}

/** Cookies do not know ports: the name tells two runners of one machine apart. */
export function cookieName(port: number): string {
	return `roost-${port}`;
}

export function readCookie(header: string | undefined, name: string): string | undefined {
	for (const part of header?.split(';') ?? []) {
		const [key, value] = part.trim().split('=', 2);
		if (key === name) return value;
	}
	return undefined;
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
