// A view accepts any valid feed: no throw, no mutation of facts, no unbounded growth.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isTransient } from '../feed/filter.ts';
import { toActorTree } from './actors.ts';
import { createSessionView, foldSessionView, type SessionView } from './session-view.ts';

const SESSION = sessionId.parse('s1');
const ROUNDS = process.env.ROOST_SOAK === '1' ? 2000 : 150;
const DEADLINE_MS = 300_000;

describe('session view of any valid feed', { timeout: DEADLINE_MS }, () => {
	it('never throws and does not modify the events', () => {
		fc.assert(
			fc.property(anyFeed(), (feed) => {
				expect(() => foldAll(createSessionView(SESSION), feed.map(deepFreeze))).not.toThrow();
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('is the same whether folded at once or in two halves with a copy in between', () => {
		fc.assert(
			fc.property(anyFeed(), fc.nat(60), (feed, cut) => {
				const whole = foldAll(createSessionView(SESSION), feed);
				const half = structuredClone(foldAll(createSessionView(SESSION), feed.slice(0, cut)));
				expect(foldAll(half, feed.slice(cut))).toEqual(whole);
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('is the same live and replayed from stored JSON events', () => {
		fc.assert(
			fc.property(anyFeed(), (feed) => {
				const stored = feed
					.filter((event) => !isTransient(event))
					.map((event) => feedEvent.parse(JSON.parse(JSON.stringify(event))));
				expect(foldAll(createSessionView(SESSION), stored)).toEqual(foldAll(createSessionView(SESSION), feed));
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('is consistent', () => {
		fc.assert(
			fc.property(anyFeed(), (feed) => {
				const view = foldAll(createSessionView(SESSION), feed);
				expect(view.summary.events).toBe(feed.filter((event) => !isTransient(event)).length);
				expect(view.asks.idByEvent.size).toBeLessThanOrEqual(view.asks.byId.size);
				if (view.asks.byId.size > 0) expect(['waiting', 'ended']).toContain(view.state.status);
				expect(countNodes(toActorTree(view.actors))).toBe(view.actors.byId.size);
				const calls = [...view.tools.byTool.values()].reduce((sum, tool) => sum + tool.calls, 0);
				expect(calls).toBe(view.summary.toolCalls);
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('is tested with every kind of event', () => {
		const kinds = new Set(fc.sample(anyFeed(), { numRuns: 400, seed: 1 }).flatMap((feed) => feed.map((event) => event.kind)));
		expect(kinds.size).toBe(feedEvent.options.length);
	});
});

function foldAll(view: SessionView, feed: readonly FeedEvent[]): SessionView {
	for (const event of feed) foldSessionView(view, event);
	return view;
}

function countNodes(nodes: ReturnType<typeof toActorTree>): number {
	return nodes.reduce((sum, node) => sum + 1 + countNodes(node.children), 0);
}

function deepFreeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const part of Object.values(value)) deepFreeze(part);
	}
	return value;
}

function anyFeed(): fc.Arbitrary<FeedEvent[]> {
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
