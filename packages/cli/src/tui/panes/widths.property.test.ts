import type { World } from '@roost/client/world/world';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { actorId, eventId, projectId, sessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { sampleEvent, sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, sampleOpen, samplePast, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { helpFor } from '../dialogs/help.ts';
import { palettePane } from '../dialogs/palette.ts';
import { searchPane } from '../dialogs/search.ts';
import { DIALOGS, type Room, VIEWS } from '../pane.ts';
import type { Cursor } from '../screen/painter.ts';
import { toLine } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';
import { type PaneName, paneFor, startPanes } from '../shell/panes.ts';
import { headerRows } from './header.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 3_000 : 60;

const words = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 60 }),
	fc.string({ unit: 'binary', maxLength: 60 }),
	fc.constantFrom('宽'.repeat(50), '👩‍👩‍👧'.repeat(9), '\x1b[2Jx', 'a\tb\nc', 'e\u0301'.repeat(40), ''),
);
const name = words.map((text) => text || 'x');
const count = fc.oneof(fc.nat(20), fc.nat(2_000_000_000));
const status = fc.constantFrom<SessionRow['status']>('working', 'waiting', 'idle', 'ended', 'interrupted');

const session = fc
	.record({ id: name, title: words, agent: words, status, events: count, path: name, here: fc.boolean() })
	.map(({ id, path, here, ...rest }) => {
		const projectPath = here ? '/project' : path;
		return sampleSession('s', { ...rest, id: sessionId.parse(id), projectPath, projectId: projectId.parse(projectPath) });
	});
const rule = fc
	.record({ tool: name, argsPattern: fc.option(name, { nil: undefined }), addedBy: name, createdAt: count })
	.map((over) => sampleRule('r', over));
const hit = fc
	.record({ session: name, kind: words, title: words, excerpt: words, ts: count })
	.map(({ session: id, ...rest }) => ({ ...rest, sessionId: sessionId.parse(id), eventId: eventId.parse('e'), offset: 1 }));

/** An actor that starts, adds a todo and calls a tool. */
const work = fc.record({ agent: name, type: words, todo: words, tool: name, failed: fc.boolean(), model: name, tokens: count });

const world = fc
	.record({
		sessions: fc.array(session, { maxLength: 6 }),
		rules: fc.array(rule, { maxLength: 6 }),
		hits: fc.array(hit, { maxLength: 4 }),
		words: name,
		works: fc.array(work, { maxLength: 6 }),
		reason: words,
		live: fc.boolean(),
		asks: fc.nat(2),
		runner: fc.option(name),
	})
	.map(({ sessions, rules, hits, words: wanted, works, reason, live, asks, runner }): World => {
		const view = createSessionView(sessionId.parse('k3f9'));
		for (const [index, content] of works.flatMap(eventsOf).entries()) {
			foldSessionView(view, { ...sampleEvent('k3f9', index + 1), ...content });
		}
		view.connection = { ...view.connection, status: 'degraded', since: 1, reason };
		return sampleWorld({
			sessions,
			rules,
			found: { unsearched: 0, words: wanted, hits },
			past: { sessions: hits.map(({ title, ts }) => samplePast({ title, lastActivity: ts })), looking: live, readAt: 1 },
			open: { ...sampleOpen([]), view, row: sessions[0] },
			asks: Array.from({ length: asks }, () => samplePermission()),
			connection: { state: live ? 'live' : 'reconnecting', since: 1, reason },
			...(runner === null ? {} : hubWith(runner, wanted)),
		});
	});

/** Every runner has this name and version. */
function hubWith(runner: string, version: string): Pick<World, 'runners' | 'elsewhere'> {
	const { runners, elsewhere } = sampleHub();
	const rows = (runners?.rows ?? []).map((row) => ({ ...row, name: runner, version }));
	return {
		runners: runners && { ...runners, rows },
		elsewhere: elsewhere.map((ask) => ({ ...ask, runner: { ...ask.runner, name: runner } })),
	};
}

type Work = typeof work extends fc.Arbitrary<infer Value> ? Value : never;

function eventsOf({ agent, type, todo, tool, failed, model, tokens }: Work) {
	const actor = { actor_id: actorId.parse(`subagent:${agent}`) };
	const usage = { input_tokens: tokens, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 };
	const call = { tool_name: tool, tool_input: {}, tool_use_id: agent };
	return [
		{ kind: 'subagent.start', data: { agent_id: agent, agent_type: type } },
		{ kind: 'todo.add', data: { todo_id: agent, text: todo }, ...actor },
		{ kind: 'tool.pre', data: call, ...actor },
		...(failed ? [{ kind: 'tool.failure' as const, title: '', data: { ...call, error: todo }, ...actor }] : []),
		{ kind: 'usage.update', data: { total: usage, by_model: { [model]: usage }, cost_usd_estimate: tokens / 1e6 } },
	] as const;
}

const room = fc
	.record({ width: fc.integer({ min: 24, max: 220 }), height: fc.integer({ min: 1, max: 60 }), ascii: fc.boolean() })
	.map(({ width, height, ascii }): Room => ({ width, height, styles: plainStyles({ ascii }) }));

const OWN: readonly PaneName[] = [
	'tasks',
	'actors',
	'sessions',
	'past',
	'rules',
	'stats',
	'palette',
	'help',
	'search',
	'waiting',
	'runners',
];

function expectFits(rows: readonly Parameters<typeof toLine>[0][], { width, styles }: Room): void {
	for (const row of rows) {
		const line = toLine(row, width, styles);
		expect(widthOf(line)).toBe(width);
		expect(line).not.toMatch(/\p{Cc}/u);
	}
}

function expectInside(cursor: Cursor | undefined, { width, height }: Room): void {
	if (cursor) expect([cursor.line < height, cursor.column < width]).toEqual([true, true]);
}

describe('layout with arbitrary names and text', { timeout: 120_000 }, () => {
	it.each(OWN)('%s stays within its room', (pane) => {
		fc.assert(
			fc.property(world, room, (facts, place) => {
				const states = startPanes(facts);
				const { rows, cursor } = paneFor(pane, states).draw(facts, place);
				expect(rows.length).toBeLessThanOrEqual(place.height);
				expectFits(rows, place);
				expectInside(cursor, place);
			}),
			{ numRuns: RUNS },
		);
	});

	it('every pane stays within its room after any sequence of actions', () => {
		fc.assert(
			fc.property(
				world,
				room,
				fc.constantFrom(...OWN),
				fc.array(fc.nat(40), { maxLength: 8 }),
				words,
				(facts, place, pane, picks, text) => {
					let states = startPanes(facts);
					for (const pick of picks) {
						const bound = paneFor(pane, states);
						const actions = bound.keys.map(({ action }) => action);
						const action = actions[pick % (actions.length + 1)];
						const typed = action === undefined && bound.takesText() && text !== '';
						if (action !== undefined) states = { ...states, [pane]: bound.act(action, facts, place).state };
						else if (typed) states = { ...states, [pane]: bound.type(text, facts).state };
					}
					const { rows, cursor } = paneFor(pane, states).draw(facts, place);
					expect(rows.length).toBeLessThanOrEqual(place.height);
					expectFits(rows, place);
					expectInside(cursor, place);
				},
			),
			{ numRuns: RUNS * 2 },
		);
	});

	it('the header has two lines that fit', () => {
		fc.assert(
			fc.property(world, room, (facts, place) => {
				const rows = headerRows(facts, place.width, place.styles);
				expect(rows).toHaveLength(2);
				expectFits(rows, place);
			}),
			{ numRuns: RUNS },
		);
	});

	it('help fits for every pane', () => {
		const facts = sampleWorld();
		const states = startPanes(facts);
		fc.assert(
			fc.property(room, fc.constantFrom<PaneName>(...VIEWS, ...DIALOGS), (place, pane) => {
				const help = helpFor(paneFor(pane, states));
				expectFits(paneFor('help', { ...states, help }).draw(facts, place).rows, place);
			}),
			{ numRuns: RUNS },
		);
	});

	it('text typed into the palette and the search fits', () => {
		fc.assert(
			fc.property(room, name, (place, text) => {
				const facts = sampleWorld();
				const palette = palettePane.type?.(palettePane.start(facts), text, facts).state ?? palettePane.start(facts);
				const search = searchPane.type?.(searchPane.start(facts), text, facts).state ?? searchPane.start(facts);
				for (const { rows, cursor } of [palettePane.draw(palette, facts, place), searchPane.draw(search, facts, place)]) {
					expectFits(rows, place);
					expect(cursor?.column).toBeLessThan(place.width);
				}
			}),
			{ numRuns: RUNS },
		);
	});
});
