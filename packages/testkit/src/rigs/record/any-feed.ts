// Feeds generated from the schema of events, so that a new kind is covered automatically.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import fc from 'fast-check';
import { z } from 'zod';

/** Any valid events of any kind; few ids, so that many belong together. */
export function anyFeed(): fc.Arbitrary<FeedEvent[]> {
	return fc.array(ANY_EVENT, { maxLength: 60 });
}

type JsonSchema = {
	type?: string;
	const?: unknown;
	enum?: unknown[];
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	items?: JsonSchema;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	minimum?: number;
	exclusiveMinimum?: number;
};

const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
	z.looseObject({
		type: z.string().optional(),
		enum: z.array(z.unknown()).optional(),
		anyOf: z.array(jsonSchema).optional(),
		oneOf: z.array(jsonSchema).optional(),
		items: jsonSchema.optional(),
		properties: z.record(z.string(), jsonSchema).optional(),
		required: z.array(z.string()).optional(),
		additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
		minimum: z.number().optional(),
		exclusiveMinimum: z.number().optional(),
	}),
);

function fromSchema(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
	if ('const' in schema) return fc.constant(schema.const);
	if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices !== undefined) return fc.oneof(...choices.map((choice) => fromSchema(choice, name)));
	if (schema.type === 'string') return textFor(name);
	if (schema.type === 'integer' || schema.type === 'number') return fc.integer({ min: lowest(schema), max: 1e6 });
	if (schema.type === 'boolean') return fc.boolean();
	if (schema.type === 'array') return fc.array(fromSchema(schema.items ?? {}), { maxLength: 3 });
	if (schema.type === 'object') return objectFrom(schema);
	// Round-tripped, because all reports come from JSON, which has no minus zero.
	return fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)));
}

function lowest({ minimum = 0, exclusiveMinimum = -1 }: JsonSchema): number {
	return Math.max(0, minimum, exclusiveMinimum + 1);
}

function objectFrom(schema: JsonSchema): fc.Arbitrary<unknown> {
	if (schema.properties === undefined) {
		const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
		return fc.dictionary(fc.string({ maxLength: 5 }), fromSchema(values), { maxKeys: 3, noNullPrototype: true });
	}
	const fields: Record<string, fc.Arbitrary<unknown>> = {};
	for (const [key, field] of Object.entries(schema.properties)) fields[key] = fromSchema(field, key);
	return fc.record(fields, { requiredKeys: schema.required ?? [], noNullPrototype: true });
}

/** Few names, so that events refer to each other: an ask to its decision, a call to its outcome, a subagent to its stop. */
function textFor(name: string): fc.Arbitrary<string> {
	if (name === 'actor_id' || name === 'assigned_actor_id') {
		return fc.constantFrom('user', 'system', 'agent:root', 'subagent:a', 'subagent:b', 'subagent:__proto__');
	}
	if (name.endsWith('_id') || name === 'id') return fc.constantFrom('a', 'b', 'c', '__proto__');
	return fc.oneof(fc.constantFrom('x', 'constructor'), fc.string({ minLength: 1, unit: 'binary' }));
}

/** The events are generated from the schema, so a new kind is covered automatically. */
const ANY_EVENT: fc.Arbitrary<FeedEvent> = fc
	.oneof(...feedEvent.options.map((option) => fromSchema(jsonSchema.parse(z.toJSONSchema(option, { io: 'input' })))))
	.map((candidate) => feedEvent.parse(candidate));
