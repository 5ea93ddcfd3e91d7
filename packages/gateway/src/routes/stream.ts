// The door of the stream, for the router and the OpenAPI document: an upgrade never comes this far, plain HTTP is told so.
import { AppError } from '@roost/protocol/app-error';
import { ok } from '@roost/protocol/result';
import { errorReply } from '../errors.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export const STREAM_PATH = '/api/v1/stream';

export function streamRoute(): Route {
	return defineRoute(
		{
			method: 'GET',
			path: STREAM_PATH,
			access: 'any',
			summary: 'WebSocket: stored lines, deltas and asks as they come; answers to asks',
			status: 101,
			params: nothing,
			query: nothing,
			body: noBody,
			reply: nothing,
		},
		() => ok(errorReply(new AppError('bad_request', 'Open this with a WebSocket.'), 426)),
	);
}
