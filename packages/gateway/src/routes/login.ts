// How a browser gets in: the token buys a ticket, the ticket becomes a cookie, and no secret that lasts stands in a URL.
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { Attempts } from '../attempts.ts';
import type { Credentials } from '../credentials.ts';
import { errorReply } from '../errors.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';
import type { Tickets } from '../tickets.ts';

export type LoginDeps = { tickets: Tickets; credentials: Credentials; attempts: Attempts; cookie: () => string; loginMs: number };

export function loginRoutes(deps: LoginDeps): Route[] {
	const issue = defineRoute(
		{
			method: 'POST',
			path: '/api/v1/tickets',
			access: 'bearer',
			summary: 'A ticket that logs a browser in, once, within seconds',
			status: 201,
			params: nothing,
			query: nothing,
			body: noBody,
			reply: z.object({ ticket: z.string(), path: z.string(), expiresAt: z.number() }),
		},
		() => {
			const { ticket, expiresAt } = deps.tickets.issue();
			return ok(jsonReply({ ticket, path: `/login/${ticket}`, expiresAt }, 201));
		},
	);
	const redeem = defineRoute(
		{
			method: 'GET',
			path: '/login/:ticket',
			access: 'open',
			summary: 'Turns a ticket into a cookie',
			status: 303,
			params: z.strictObject({ ticket: z.string().min(1) }),
			query: nothing,
			body: noBody,
			reply: nothing,
		},
		({ params, caller }) => {
			if (!deps.tickets.redeem(params.ticket)) {
				return deps.attempts.wrong(caller.address) ? err(badTicket()) : ok(errorReply(tooMany(), 429));
			}
			const cookie = `${deps.cookie()}=${deps.credentials.logIn()}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${deps.loginMs / 1_000}`;
			return ok({ status: 303, body: '{}', headers: { location: '/', 'set-cookie': cookie } });
		},
	);
	return [issue, redeem];
}

function badTicket(): AppError {
	return new AppError('unauthorized', 'This link was used already or is too old: ask Roost for a new one.');
}

function tooMany(): AppError {
	return new AppError('unauthorized', 'Too many wrong credentials: wait a minute.');
}
