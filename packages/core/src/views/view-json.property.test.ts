import { sessionId } from '@roost/protocol/ids';
import { anyFeed } from '@roost/testkit/rigs/record/any-feed';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSessionView, foldSessionView, type SessionView } from './session-view.ts';
import { parseView, toJsonView } from './view-json.ts';

const SESSION = sessionId.parse('s1');
const ROUNDS = process.env.ROOST_SOAK === '1' ? 2000 : 150;

describe('view as JSON', () => {
	it('continues to the view of all events, with the same asks, tasks and totals', () => {
		fc.assert(
			fc.property(anyFeed(), fc.nat(60), (feed, cut) => {
				const sent = overTheWire(foldAll(createSessionView(SESSION), feed.slice(0, cut)));
				expect(foldAll(sent, feed.slice(cut))).toEqual(foldAll(createSessionView(SESSION), feed));
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('loses nothing of a sample session', () => {
		const view = foldAll(createSessionView(SESSION), sampleFeed());
		expect(view.asks.byId.size + view.todos.byKey.size + view.tools.byTool.size).toBeGreaterThan(2);
		expect(overTheWire(view)).toEqual(view);
	});

	it('is undefined where it is not a view', () => {
		const json = toJsonView(createSessionView(SESSION));
		expect(parseView(json)).toBeDefined();
		for (const broken of [undefined, null, 'view', {}, { ...json, asks: {} }, { ...json, state: { status: 'asleep' } }]) {
			expect(parseView(broken)).toBeUndefined();
		}
	});
});

function overTheWire(view: SessionView): SessionView {
	return parseView(JSON.parse(JSON.stringify(toJsonView(view)))) ?? expect.fail('not a view');
}

function foldAll(view: SessionView, feed: Parameters<typeof foldSessionView>[1][]): SessionView {
	for (const event of feed) foldSessionView(view, event);
	return view;
}
