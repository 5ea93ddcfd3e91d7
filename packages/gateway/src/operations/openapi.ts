// The OpenAPI document, made of the same contract that validates the requests.
import { wireError } from '@roost/protocol/app-error';
import { contract } from '@roost/protocol/contract/contract';
import { none, nothing, type Operation } from '@roost/protocol/contract/operation';
import { z } from 'zod';

export function toOpenApi(version: string): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	const add = (url: string, operation: Operation) => {
		const path = url.replaceAll(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
	};
	for (const operations of Object.values<Record<string, Operation>>(contract))
		for (const operation of Object.values(operations)) add(operation.path, operation);
	return {
		openapi: '3.1.0',
		info: { title: 'Roost', version, description: OF_RUNNERS },
		components: {
			securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
			schemas: { Error: toSchema(wireError, 'output') },
		},
		security: [{ bearer: [] }],
		paths,
	};
}

const OF_RUNNERS =
	'A runner serves its operations also below /api/v1/runners/{runner}, and a hub serves those of all its runners there.';

function describe({ summary, needs, params, query, body, reply, status, media }: Operation): Record<string, unknown> {
	const content = { [media ?? 'application/json']: { schema: toSchema(reply === nothing ? none : reply, 'output') } };
	return {
		summary,
		...(needs === 'none' ? { security: [] } : {}),
		parameters: [...toParameters('path', params), ...toParameters('query', query)],
		...(body === none
			? {}
			: { requestBody: { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } } }),
		responses: {
			[status]: { description: summary, content },
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
