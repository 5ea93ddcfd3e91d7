// Terminals: which there are, a shell in a new one, and their end. What they show goes over a socket of its own.
import { closeTerminalBody, openTerminalBody, terminalRow } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { terminalId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { TerminalDesk } from '../backend.ts';
import { errorReply } from '../errors.ts';
import type { Once } from '../once.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export const TERMINALS_PATH = '/api/v1/terminals';

const ofTerminal = z.strictObject({ id: terminalId });
const shape = { access: 'any', status: 200, params: nothing, query: nothing } as const;

export function terminalRoutes(desk: TerminalDesk, once: Once<Reply>): Route[] {
	const list = defineRoute(
		{
			...shape,
			method: 'GET',
			path: TERMINALS_PATH,
			summary: 'Terminals that run, and those that ended a moment ago',
			body: noBody,
			reply: z.array(terminalRow),
		},
		() => ok(jsonReply(desk.list())),
	);
	const open = defineRoute(
		{
			...shape,
			method: 'POST',
			path: TERMINALS_PATH,
			summary: "The user's shell in a new terminal",
			status: 201,
			body: openTerminalBody,
			reply: terminalRow,
		},
		({ body: { commandId: id, ...body } }) =>
			once.run(id, ['open-terminal', body], async () => {
				const opened = await desk.open(body);
				return opened.ok ? ok(jsonReply(opened.value, 201)) : opened;
			}),
	);
	const close = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${TERMINALS_PATH}/:id/close`,
			summary: 'End its program, with everything that one started',
			params: ofTerminal,
			body: closeTerminalBody,
			reply: nothing,
		},
		({ params, body: { commandId: id } }) =>
			once.run(id, ['close-terminal', params.id], async () => {
				const closed = await desk.close(params.id);
				return closed.ok ? ok(jsonReply({})) : closed;
			}),
	);
	return [list, open, close, doorRoute()];
}

/** For the router and the OpenAPI document: an upgrade never comes this far, plain HTTP is told so. */
function doorRoute(): Route {
	return defineRoute(
		{
			...shape,
			method: 'GET',
			path: `${TERMINALS_PATH}/:id`,
			summary: 'WebSocket: a snapshot of what it shows, then its bytes as they come; keys on the way back',
			status: 101,
			params: ofTerminal,
			body: noBody,
			reply: nothing,
		},
		() => ok(errorReply(new AppError('bad_request', 'Open this with a WebSocket.'), 426)),
	);
}
