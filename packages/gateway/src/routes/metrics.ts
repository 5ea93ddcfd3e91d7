// The figures for a Prometheus that knows the token.
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import { textReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function metricsRoute(write: () => string): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/metrics',
			access: 'any',
			summary: 'Figures in the text format of Prometheus',
			status: 200,
			media: 'text/plain',
			params: nothing,
			query: nothing,
			body: noBody,
			reply: z.string(),
		},
		() => ok(textReply(write(), 'text/plain; version=0.0.4')),
	);
}
