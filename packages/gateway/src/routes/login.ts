// How a browser gets in: a link registers its key as a device, and a signed challenge becomes a bearer for some minutes.
import {
	bearerBody,
	bearerIssued,
	challengeBody,
	challengeIssued,
	device,
	registerDeviceBody,
	socketTicketBody,
	socketTicketIssued,
	ticketIssued,
} from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Attempts } from '../attempts.ts';
import type { DeviceBook } from '../backend.ts';
import type { Caller } from '../caller.ts';
import type { Logins } from '../devices/logins.ts';
import type { Tickets } from '../devices/tickets.ts';
import { verifySignature } from '../devices/verify-signature.ts';
import { errorReply } from '../errors.ts';
import { jsonReply, type Reply, toReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export type LoginDeps = {
	devices: DeviceBook;
	logins: Logins;
	attempts: Attempts;
	/** Of links: who made it. */
	links: Tickets<{ by: Principal }>;
	challenges: Tickets<{ device: DeviceId; origin: string }>;
	sockets: Tickets<SocketPass>;
};

/** Lets its holder open one socket on this path. */
export type SocketPass = { caller: Caller; path: string };

export function loginRoutes(deps: LoginDeps): Route[] {
	return [issueRoute(deps), registerRoute(deps), challengeRoute(deps), bearerRoute(deps), socketTicketRoute(deps)];
}

/** In the fragment, which browsers send to nobody. */
export function linkPath(ticket: string): string {
	return `/#ticket=${ticket}`;
}

const shape = { method: 'POST', status: 201, params: nothing, query: nothing } as const;

function issueRoute({ links }: LoginDeps): Route {
	return defineRoute(
		{
			...shape,
			path: '/api/v1/tickets',
			access: 'token',
			summary: 'A link that registers a browser as a device, once, within seconds',
			body: noBody,
			reply: ticketIssued,
		},
		({ caller }) => {
			const { ticket, expiresAt } = links.issue({ by: caller.principal });
			return ok(jsonReply({ ticket, path: linkPath(ticket), expiresAt }, 201));
		},
	);
}

function registerRoute({ devices, links, attempts }: LoginDeps): Route {
	return defineRoute(
		{
			...shape,
			path: '/api/v1/devices',
			access: 'open',
			summary: 'Registers the public key of a browser with the ticket of a link',
			body: registerDeviceBody,
			reply: device,
		},
		async ({ body: { ticket, signature, ...body }, caller }) => {
			const { origin } = caller;
			if (origin === undefined) return err(noOrigin());
			const link = links.redeem(ticket);
			const isOwnKey = verifySignature(
				body.publicKey,
				{ purpose: 'register', origin, subject: body.publicKey, challenge: ticket },
				signature,
			);
			if (!link || !isOwnKey) return refuse(attempts, caller, 'This link was used already or has expired.');
			return toReply(await devices.register({ ...body, origin }, link.by), 201);
		},
	);
}

function challengeRoute({ devices, challenges, attempts }: LoginDeps): Route {
	return defineRoute(
		{
			...shape,
			path: '/api/v1/challenges',
			access: 'open',
			summary: 'A challenge for a device to sign, once, within seconds',
			body: challengeBody,
			reply: challengeIssued,
		},
		({ body, caller }) => {
			const { origin } = caller;
			if (origin === undefined) return err(noOrigin());
			const known = devices.find(body.deviceId);
			if (known?.origin !== origin) return refuse(attempts, caller, 'This device is not registered here, or was revoked.');
			const { ticket: challenge, expiresAt } = challenges.issue({ device: known.id, origin });
			return ok(jsonReply({ challenge, expiresAt }, 201));
		},
	);
}

function bearerRoute({ devices, challenges, logins, attempts }: LoginDeps): Route {
	return defineRoute(
		{
			...shape,
			path: '/api/v1/bearers',
			access: 'open',
			summary: 'A bearer that lives for minutes, for a signed challenge',
			body: bearerBody,
			reply: bearerIssued,
		},
		({ body: { deviceId, challenge, signature }, caller: { origin, ...caller } }) => {
			if (origin === undefined) return err(noOrigin());
			const issued = challenges.redeem(challenge);
			const known = devices.find(deviceId);
			const signed = { purpose: 'login', origin, subject: deviceId, challenge } as const;
			const isFor = issued?.device === deviceId && issued.origin === origin;
			if (!isFor || !known || !verifySignature(known.publicKey, signed, signature)) {
				return refuse(attempts, caller, 'The challenge was not answered by this device in time.');
			}
			devices.noteSeen(deviceId);
			return ok(jsonReply(logins.issue(deviceId), 201));
		},
	);
}

function socketTicketRoute({ sockets }: LoginDeps): Route {
	return defineRoute(
		{
			...shape,
			path: '/api/v1/socket-tickets',
			access: 'any',
			summary: 'A ticket for the first frame of one WebSocket on this path, within seconds',
			body: socketTicketBody,
			reply: socketTicketIssued,
		},
		({ body, caller }) => ok(jsonReply(sockets.issue({ caller, path: body.path }), 201)),
	);
}

function refuse(attempts: Attempts, caller: Pick<Caller, 'address'>, message: string): Result<Reply> {
	if (attempts.wrong(caller.address)) return err(new AppError('unauthorized', message));
	return ok(errorReply(new AppError('unauthorized', 'Too many wrong credentials: wait a minute.'), 429));
}

function noOrigin(): AppError {
	return new AppError('denied', 'Only a page of Roost can do this: the request names no Origin.');
}
