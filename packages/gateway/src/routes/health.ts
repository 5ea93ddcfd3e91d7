// Whether anybody answers at all; it says nothing else, because it asks for no credential.
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function healthRoute(): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/healthz',
			access: 'open',
			summary: 'Whether the gateway answers',
			status: 200,
			params: nothing,
			query: nothing,
			body: noBody,
			reply: z.object({ ok: z.literal(true) }),
		},
		() => ok(jsonReply({ ok: true })),
	);
}
