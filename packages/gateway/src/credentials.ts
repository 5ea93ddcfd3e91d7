// What proves who calls: the bearer token, or the cookie of a browser that came with a ticket.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { LoginId, Logins } from './logins.ts';

export type Credentials = {
	isToken(candidate: string): boolean;
	findLogin(secret: string): LoginId | undefined;
};

export function createCredentials(deps: { token: string; logins: Logins }): Credentials {
	const token = digest(deps.token);
	return { isToken: (candidate) => timingSafeEqual(token, digest(candidate)), findLogin: deps.logins.find };
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
