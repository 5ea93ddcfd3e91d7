// How a browser gets in and out: the token buys a ticket, the ticket becomes a cookie, and no secret that lasts stands in a URL.
import { AppError } from '@roost/protocol/app-error';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { Attempts } from '../attempts.ts';
import { errorReply } from '../errors.ts';
import type { Logins } from '../logins.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';
import type { Tickets } from '../tickets.ts';
import { usedTicketPage } from './page.ts';

export type LoginDeps = { tickets: Tickets; logins: Logins; attempts: Attempts; cookie: () => string; loginMs: number };

export function loginRoutes(deps: LoginDeps): Route[] {
	return [issueRoute(deps), redeemRoute(deps), logoutRoute(deps), endAllRoute(deps)];
}

const plain = { params: nothing, query: nothing, body: noBody } as const;
const COOKIE_RULES = 'HttpOnly; SameSite=Strict; Path=/';

function issueRoute({ tickets }: LoginDeps): Route {
	return defineRoute(
		{
			...plain,
			method: 'POST',
			path: '/api/v1/tickets',
			access: 'bearer',
			summary: 'A ticket that logs a browser in, once, within seconds',
			status: 201,
			reply: z.object({ ticket: z.string(), path: z.string(), expiresAt: z.number() }),
		},
		() => {
			const { ticket, expiresAt } = tickets.issue();
			return ok(jsonReply({ ticket, path: loginPath(ticket), expiresAt }, 201));
		},
	);
}

export function loginPath(ticket: string): string {
	return `/login/${ticket}`;
}

function redeemRoute(deps: LoginDeps): Route {
	const used = usedTicketPage();
	return defineRoute(
		{
			...plain,
			method: 'GET',
			path: '/login/:ticket',
			access: 'open',
			summary: 'Turns a ticket into a cookie',
			status: 303,
			params: z.strictObject({ ticket: z.string().min(1) }),
			reply: nothing,
		},
		({ params, caller }) => {
			if (!deps.tickets.redeem(params.ticket)) return ok(deps.attempts.wrong(caller.address) ? used : errorReply(tooMany(), 429));
			const cookie = `${deps.cookie()}=${deps.logins.open()}; ${COOKIE_RULES}; Max-Age=${deps.loginMs / 1_000}`;
			return ok({ status: 303, body: '{}', headers: { location: '/', 'set-cookie': cookie } });
		},
	);
}

function logoutRoute({ logins, cookie }: LoginDeps): Route {
	return defineRoute(
		{
			...plain,
			method: 'POST',
			path: '/api/v1/logout',
			access: 'any',
			summary: "Ends the login of the cookie, and closes its sockets; a token's holder has none to end",
			status: 200,
			reply: z.object({ ended: z.number() }),
		},
		({ caller }) => {
			if (caller.via === 'cookie') logins.end(caller.login);
			const ended = caller.via === 'cookie' ? 1 : 0;
			return ok({ ...jsonReply({ ended }), headers: { 'set-cookie': `${cookie()}=; ${COOKIE_RULES}; Max-Age=0` } });
		},
	);
}

function endAllRoute({ logins, tickets }: LoginDeps): Route {
	return defineRoute(
		{
			...plain,
			method: 'DELETE',
			path: '/api/v1/logins',
			access: 'bearer',
			summary: 'Ends the logins of all browsers, closes their sockets, and voids the tickets',
			status: 200,
			reply: z.object({ ended: z.number() }),
		},
		() => {
			tickets.forget();
			return ok(jsonReply({ ended: logins.endAll() }));
		},
	);
}

function tooMany(): AppError {
	return new AppError('unauthorized', 'Too many wrong credentials: wait a minute.');
}
