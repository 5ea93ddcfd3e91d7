// The three checks every request and every upgrade passes before anything else looks at it: host, origin, credential.
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { AppError } from '@roost/protocol/app-error';
import type { Attempts } from './attempts.ts';
import { type Caller, type Credential, toCaller } from './caller.ts';
import { type Credentials, cookieName, readCookie } from './credentials.ts';
import { errorReply } from './errors.ts';
import type { Reply } from './reply.ts';

export type Admission =
	| { ok: true; caller: Caller }
	| { ok: false; check: 'host' | 'origin' | 'credential' | 'face'; reply: Reply };

export type Checks = { admit(request: IncomingMessage): Admission };

export type ChecksDeps = {
	host: string;
	credentials: Credentials;
	attempts: Attempts;
	userName: string;
	/** Told of a bearer token that is not ours. */
	onWrongToken?: ((token: string) => void) | undefined;
	/** Whether a request needs no credential. */
	isOpen: (method: string, path: string) => boolean;
};

export function createChecks(deps: ChecksDeps): Checks {
	return {
		admit(request) {
			const hosts = ownHosts(deps.host, request.socket.localPort ?? 0);
			if (!hosts.includes(request.headers.host?.toLowerCase() ?? '')) return refuse('host', 403, 'This host is not served here.');
			const { origin } = request.headers;
			if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
				return refuse('origin', 403, 'Pages of another origin may not call Roost.');
			}
			return checkCredential(deps, request);
		},
	};
}

export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Only loopback is served, so the loopback names are always ours too. */
function ownHosts(host: string, port: number): string[] {
	return [host === '::1' ? '[::1]' : host, '127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
}

function checkCredential(deps: ChecksDeps, request: IncomingMessage): Admission {
	const { authorization, cookie, origin } = request.headers;
	if (deps.isOpen(request.method ?? '', pathOf(request))) return admit(deps, request, { via: 'nobody' });
	if (authorization !== undefined) {
		const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1];
		return bearer !== undefined && deps.credentials.isToken(bearer)
			? admit(deps, request, { via: 'bearer' })
			: refuseWrong(deps, request, bearer);
	}
	const secret = readCookie(cookie, cookieName(request.socket.localPort ?? 0));
	if (secret === undefined) return refuse('credential', 401, 'Send the token as "Authorization: Bearer …".');
	if (origin === undefined && !isOwnPageReading(request)) {
		return refuse('origin', 403, 'A cookie counts only for pages of Roost itself.');
	}
	const login = deps.credentials.findLogin(secret);
	return login === undefined ? refuseWrong(deps, request) : admit(deps, request, { via: 'cookie', login });
}

/** A browser names no origin when a page reads from its own; this header only the browser itself can set. */
function isOwnPageReading({ method, headers }: IncomingMessage): boolean {
	return method === 'GET' && headers.upgrade === undefined && headers['sec-fetch-site'] === 'same-origin';
}

export function pathOf(request: IncomingMessage): string {
	return (request.url ?? '').split('?', 1)[0] ?? '';
}

function admit(deps: ChecksDeps, request: IncomingMessage, credential: Credential): Admission {
	const caller = toCaller(request, credential, deps.userName);
	return caller.ok ? { ok: true, caller: caller.value } : { ok: false, check: 'face', reply: errorReply(caller.error) };
}

function refuseWrong(deps: ChecksDeps, request: IncomingMessage, token?: string): Admission {
	const within = deps.attempts.wrong(request.socket.remoteAddress ?? '');
	if (within && token !== undefined) deps.onWrongToken?.(token);
	if (within) return refuse('credential', 401, 'This credential is not valid.');
	return refuse('credential', 429, 'Too many wrong credentials: wait a minute.');
}

function refuse(check: 'host' | 'origin' | 'credential', status: number, message: string): Admission {
	return { ok: false, check, reply: errorReply(new AppError('unauthorized', message), status) };
}
