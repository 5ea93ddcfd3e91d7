// A view accepts any valid feed: no throw, no mutation of facts, no unbounded growth.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { anyFeed } from '@roost/testkit/rigs/record/any-feed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
