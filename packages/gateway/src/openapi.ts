// The OpenAPI document, made of the same schemas that validate the requests.
import { wireError } from '@roost/protocol/app-error';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import { jsonReply } from './reply.ts';
import { defineRoute, noBody, nothing, type Route } from './route.ts';

/** Describes the given routes and itself. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
	const route: Route = defineRoute(
		{
			method: 'GET',
			path: '/api/v1/openapi.json',
			access: 'any',
			summary: 'This document',
			status: 200,
			params: nothing,
			query: nothing,
			body: noBody,
			reply: z.record(z.string(), z.unknown()),
		},
		() => ok(jsonReply(document())),
	);
	let made: Record<string, unknown> | undefined;
	function document(): Record<string, unknown> {
		made ??= toOpenApi([...routes, route], version);
		return made;
	}
	return route;
}

function toOpenApi(routes: readonly Route[], version: string): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const route of routes) {
		const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Roost', version },
		components: {
			securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
			schemas: { Error: toSchema(wireError, 'output') },
		},
		security: [{ bearer: [] }],
		paths,
	};
}

function toOperation(route: Route): Record<string, unknown> {
	const body = toSchema(route.body, 'input');
	return {
		summary: route.summary,
		...(route.access === 'open' ? { security: [] } : {}),
		parameters: [...toParameters('path', route.params), ...toParameters('query', route.query)],
		...(route.body === noBody ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
		responses: {
			[route.status]: {
				description: route.summary,
				content: { [route.media ?? 'application/json']: { schema: toSchema(route.reply, 'output') } },
			},
			default: { description: 'An error', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
		},
	};
}

function toParameters(where: 'path' | 'query', schema: z.ZodType): unknown[] {
	const { properties = {}, required = [] } = toSchema(schema, 'input');
	return Object.entries(properties).map(([name, of]) => ({ name, in: where, required: required.includes(name), schema: of }));
}

function toSchema(schema: z.ZodType, io: 'input' | 'output') {
	return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}
