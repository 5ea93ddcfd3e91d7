// The checks of every request and upgrade before anything else: host, origin, credential.
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { isProgramOrigin } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { Role } from '@roost/protocol/contract/operation';
import { errorReply } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Attempts } from './attempts.ts';
import { type Caller, type Credential, toCaller } from './caller.ts';
import type { Credentials } from './secrets.ts';

export type Admission =
	| { ok: true; caller: Caller }
	| { ok: false; check: 'host' | 'origin' | 'credential' | 'face'; reply: Reply };

type Refusal = Extract<Admission, { ok: false }>;

export type Checks = {
	admit(request: IncomingMessage): Admission;
	/** The page of a device cannot send a credential with an upgrade: it is admitted as nobody, and its first frame has to bring its bearer. */
	admitUpgrade(request: IncomingMessage): Admission;
	/** The host and the origin alone, where the caller proves itself otherwise: what is wrong with them. */
	refusePlace(request: IncomingMessage): Refusal | undefined;
	/** The bearer in the first frame of a page's socket. */
	admitFrame(request: IncomingMessage, bearer: string): Admission;
};

export type ChecksDeps = {
	host: string;
	/** It ends TLS itself. */
	hasTls?: boolean | undefined;
	/** At which it is also reached, each `https://host[:port]`; plain http only where the user forced it. */
	origins: readonly string[];
	credentials: Credentials;
	attempts: Attempts;
	/** Of the token, and of devices without a user of their own. */
	userName: string;
	/** All roles unless named. */
	rolesOf?: ((credential: Credential) => readonly Role[]) | undefined;
	/** Called with an invalid bearer token. */
	onWrongToken?: ((token: string) => void) | undefined;
	/** Whether a request needs no credential. */
	isOpen: (asked: { method: string; path: string; accept: string | undefined }) => boolean;
};

export function createChecks(deps: ChecksDeps): Checks {
	return {
		admit: (request) => checkPlace(deps, request) ?? checkCredential(deps, request),
		admitUpgrade: (request) => checkPlace(deps, request) ?? checkUpgrade(deps, request),
		refusePlace: (request) => checkPlace(deps, request),
		admitFrame: (request, bearer) => checkDevice(deps, request, bearer),
	};
}

function checkPlace(deps: ChecksDeps, request: IncomingMessage): Refusal | undefined {
	const origins = originsOf(deps, request);
	if (origins.length === 0) return refuse('host', 403, 'This host is not served here.');
	const { origin } = request.headers;
	if (origin !== undefined && !origins.includes(origin)) {
		return refuse('origin', 403, 'Requests from another origin are not allowed.');
	}
	return undefined;
}

/** The origins of pages that this host serves; none if it is not served. A proxy has to pass its own host on. */
function originsOf(deps: ChecksDeps, request: IncomingMessage): string[] {
	const proxied = proxiedOrigin(deps, request);
	if (proxied !== undefined) return [proxied];
	const hosts = ownHosts(deps.host, request.socket.localPort ?? 0);
	return hosts.includes(request.headers.host?.toLowerCase() ?? '') ? hosts.map((host) => toOrigin(deps, host)) : [];
}

function toOrigin({ hasTls = false }: ChecksDeps, host: string): string {
	return `${hasTls ? 'https' : 'http'}://${host}`;
}

/** Compared as a whole, so no part of a host is ever interpreted. Headers that proxies add are ignored. */
function proxiedOrigin({ origins }: ChecksDeps, { headers }: IncomingMessage): string | undefined {
	return origins.find((origin) => origin === `https://${headers.host}` || origin === `http://${headers.host}`);
}

export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Only loopback is served, so the loopback names are always valid too. */
function ownHosts(host: string, port: number): string[] {
	return [host === '::1' ? '[::1]' : host, '127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
}

function checkCredential(deps: ChecksDeps, request: IncomingMessage): Admission {
	const asked = { method: request.method ?? '', path: pathOf(request), accept: request.headers.accept };
	if (deps.isOpen(asked)) return admit(deps, request, { via: 'nobody' });
	const bearer = bearerOf(request);
	if (bearer === undefined) return refuseMissing();
	return deps.credentials.isToken(bearer) ? admitToken(deps, request) : checkDevice(deps, request, bearer);
}

function checkDevice(deps: ChecksDeps, request: IncomingMessage, bearer: string): Admission {
	const device = deps.credentials.findDevice(bearer);
	if (!device) return refuseWrong(deps, request, bearer);
	const { id, user } = device;
	const isProgram = isProgramOrigin(device.origin);
	// A page cannot leave these headers out.
	const isPlace = isProgram ? !isFromPage(request) : originOf(deps, request) === device.origin;
	if (isPlace) return admit(deps, request, { via: 'device', device: id, user, isProgram });
	return refuse('origin', 403, 'The bearer of a device is valid only for its own page.');
}

function isFromPage({ headers }: IncomingMessage): boolean {
	return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function checkUpgrade(deps: ChecksDeps, request: IncomingMessage): Admission {
	const { authorization, origin } = request.headers;
	if (authorization === undefined) return origin === undefined ? refuseMissing() : admit(deps, request, { via: 'nobody' });
	const bearer = bearerOf(request) ?? '';
	if (deps.credentials.isToken(bearer)) return admitToken(deps, request);
	const device = deps.credentials.findDevice(bearer);
	if (device && isProgramOrigin(device.origin)) return checkDevice(deps, request, bearer);
	return refuseWrong(deps, request, bearer);
}

/** Behind a proxy the process of a caller is not known, so an agent could use the token there to decide for its user. */
function admitToken(deps: ChecksDeps, request: IncomingMessage): Admission {
	const isHere = proxiedOrigin(deps, request) === undefined && isOwnMachine(request);
	if (isHere) return admit(deps, request, { via: 'token' });
	return refuse('credential', 403, 'The token is valid on this machine only. Log in with a link: "roost status --link".');
}

function isOwnMachine({ socket: { remoteAddress = '', localAddress } }: IncomingMessage): boolean {
	return remoteAddress === localAddress || isLoopback(remoteAddress.replace(/^::ffff:/, ''));
}

function bearerOf({ headers }: IncomingMessage): string | undefined {
	return headers.authorization === undefined ? undefined : (/^Bearer (\S+)$/i.exec(headers.authorization)?.[1] ?? '');
}

/** A browser sends no Origin for reads of a page from its own origin, but a header that only the browser can set. */
function originOf(deps: ChecksDeps, request: IncomingMessage): string | undefined {
	const { method, headers } = request;
	if (headers.origin !== undefined) return headers.origin;
	const isOwnPageReading = method === 'GET' && headers['sec-fetch-site'] === 'same-origin';
	return isOwnPageReading ? (proxiedOrigin(deps, request) ?? toOrigin(deps, headers.host?.toLowerCase() ?? '')) : undefined;
}

export function pathOf(request: IncomingMessage): string {
	return (request.url ?? '').split('?', 1)[0] ?? '';
}

function admit(deps: ChecksDeps, request: IncomingMessage, credential: Credential): Admission {
	const caller = toCaller(request, credential, deps);
	return caller.ok ? { ok: true, caller: caller.value } : { ok: false, check: 'face', reply: errorReply(caller.error) };
}

function refuseMissing(): Admission {
	return refuse('credential', 401, 'Send the token as "Authorization: Bearer …".');
}

function refuseWrong(deps: ChecksDeps, request: IncomingMessage, token: string): Admission {
	const within = deps.attempts.wrong(request.socket.remoteAddress ?? '');
	if (within && token !== '') deps.onWrongToken?.(token);
	if (within) return refuse('credential', 401, 'This credential is not valid.');
	return refuse('credential', 429, 'Too many wrong credentials. Retry in a minute.');
}

function refuse(check: 'host' | 'origin' | 'credential', status: number, message: string): Refusal {
	return { ok: false, check, reply: errorReply(new AppError('unauthorized', message), status) };
}
