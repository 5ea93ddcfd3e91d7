import type { World } from '@roost/client/world/world';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { foldSessionView } from '@roost/core/views/session-view';
import { actorId, eventId, sessionId } from '@roost/protocol/ids';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { sampleEvent, sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, samplePast, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import type { Room } from '../pane.ts';
import { type Row, toLine } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';
import { type PaneName, paneFor, startPanes } from '../shell/panes.ts';
import { headerRows } from './header.ts';

const ROOM: Room = { width: 80, height: 30, styles: plainStyles() };
const PANES: readonly PaneName[] = ['tasks', 'actors', 'sessions', 'past', 'rules', 'stats', 'palette', 'search'];

describe('hostile text', () => {
	it.each(PANES)('is sanitised and fits its line in %s', (pane) => {
		for (const text of hostileStrings()) {
			const world = saying(text);
			expectTame(paneFor(pane, startPanes(world)).draw(world, ROOM).rows, text);
		}
	});

	it('is sanitised and fits its line in the header', () => {
		for (const text of hostileStrings()) expectTame(headerRows(saying(text), ROOM.width, ROOM.styles), text);
	});

	it('is sanitised and fits its line when entered as input', () => {
		for (const text of hostileStrings()) {
			const world = saying(text);
			const states = startPanes(world);
			for (const name of ['palette', 'search', 'sessions', 'past'] as const) {
				const typed = { ...states, [name]: paneFor(name, states).type(text, world).state };
				expectTame(paneFor(name, typed).draw(world, ROOM).rows, text);
			}
		}
	});
});

function expectTame(rows: readonly Row[], text: string): void {
	for (const row of rows) {
		const line = toLine(row, ROOM.width, ROOM.styles);
		expect(line, JSON.stringify(text)).toBe(sanitiseLine(line));
		expect(widthOf(line), JSON.stringify(text)).toBe(ROOM.width);
	}
}

/** The same text in every place that shows text. */
function saying(text: string): World {
	const some = text || 'x';
	const open = sampleOpen([]);
	const session = sampleSession('s', { title: text, agent: text, model: text, projectPath: some, id: sessionId.parse(some) });
	const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 };
	const call = { tool_name: some, tool_input: {}, tool_use_id: 'call' };
	const contents = [
		{ kind: 'session.start', data: { source: 'startup', model: text } },
		{ kind: 'subagent.start', data: { agent_id: some, agent_type: text } },
		{ kind: 'todo.add', data: { todo_id: 't', text } },
		{ kind: 'tool.pre', data: call },
		{ kind: 'tool.failure', data: { ...call, error: text } },
		{ kind: 'usage.update', data: { total: usage, by_model: { [some]: usage }, prices_as_of: text } },
		{ kind: 'runtime.status', data: { status: 'degraded', reason: text } },
	] as const;
	for (const [index, content] of contents.entries()) {
		foldSessionView(open.view, { ...sampleEvent('k3f9', index + 1), ...content, actor_id: actorId.parse(`subagent:${some}`) });
	}
	const hit = { sessionId: session.id, eventId: eventId.parse('e'), offset: 1, ts: 1, kind: text, title: text, excerpt: text };
	return sampleWorld({
		project: { path: some },
		sessions: [session],
		rules: [sampleRule('r', { tool: some, argsPattern: some, addedBy: some })],
		found: { unsearched: 0, words: some, hits: [hit] },
		past: { sessions: [samplePast({ title: text, nativeId: some })], looking: false, readAt: 1 },
		open: { ...open, row: session },
		connection: { state: 'reconnecting', since: 1, reason: text },
	});
}
