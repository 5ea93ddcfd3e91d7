import type { World } from '@roost/client/world/world';
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import type { EventId } from '@roost/protocol/ids';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import type { Room } from '../pane.ts';
import { type DetailState, detailPane } from './detail.ts';

const ROOM: Room = { width: 60, height: 14, styles: plainStyles() };

describe('detail view', () => {
	it('shows a call with its cause and its full result', () => {
		const world = worldWith('ok');
		expect(text(open(world, 'E2'), world).replace(/\d\d:\d\d:\d\d/, '12:00:00')).toMatchInlineSnapshot(`
			" ❯ Build it.
			 └ ✓ Bash make
			   └ ✓ result of Bash make  done
			────────────────────────────────────────────────────────────
			tool.pre  12:00:00  agent  s:R1:E2

			$ make
			ok"
		`);
	});

	it('moves to the cause and back to the effects', () => {
		const world = worldWith('ok');
		const call = open(world, 'E2');
		const prompt = press(call, ['cause'], world);
		expect(prompt.at).toBe('s:R1:E1');
		expect(press(prompt, ['cause'], world)).toBe(prompt);
		expect(press(prompt, ['effect'], world).at).toBe('s:R1:E2');
		expect(press(prompt, ['effect', 'effect', 'effect'], world).at).toBe('s:R1:E3');
	});

	it('shows a long output up to its last line', () => {
		const world = worldWith(Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n'));
		const end = press(open(world, 'E2'), ['bottom'], world);
		expect(text(end, world)).toMatch(/line 5000\n +lines \d+ to 5001 of 5001$/);
		expect(text(press(end, ['page-up', 'page-down'], world), world)).toBe(text(end, world));
		expect(press(end, ['top'], world).top).toBe(0);
	});

	it('does not count all lines of a long output', () => {
		const world = worldWith('line\n'.repeat(50_000));
		expect(text(open(world, 'E2'), world)).toMatch(/of more than 1\d\d\d$/);
	});

	it('shows and copies the stored event in raw mode, and copies the command otherwise', () => {
		const world = worldWith('ok');
		const raw = press(open(world, 'E2'), ['raw'], world);
		expect(text(raw, world)).toContain('"event_id": "s:R1:E2"');
		const [wish] = detailPane.act(raw, 'copy', world, ROOM).wishes ?? [];
		expect(wish?.type === 'copy' && JSON.parse(wish.text)).toMatchObject({ kind: 'tool.pre' });
		expect(detailPane.act(open(world, 'E2'), 'copy', world, ROOM).wishes).toEqual([{ type: 'copy', text: 'make' }]);
	});

	it('opens the newest event by default and reports when there is none', () => {
		const world = worldWith('ok');
		expect(detailPane.start(world).at).toBe('s:R1:E2');
		const empty = sampleWorld({ open: null });
		expect(text(detailPane.start(empty), empty)).toContain('Nothing is selected');
	});

	it('reuses row objects when redrawn', () => {
		const world = worldWith('one\ntwo');
		const state = open(world, 'E2');
		const [first, second] = [detailPane.draw(state, world, ROOM), detailPane.draw(state, world, ROOM)];
		expect(first.rows.at(-1)).toBe(second.rows.at(-1));
	});
});

function worldWith(stdout: string): World {
	const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 't1' };
	return sampleWorld({
		open: sampleOpen([
			event(1, 'user.prompt', { prompt: 'Build it.', cwd: '/project' }),
			event(2, 'tool.pre', call),
			event(3, 'tool.post', { ...call, tool_response: { stdout, stderr: '' } }, 's:R1:E2'),
		]),
	});
}

function event(seq: number, kind: string, data: object, parent?: string): FeedEvent {
	const base = { seq, session_id: 's', run_id: 's:R1', level: 'info', actor_id: 'agent:root', title: kind, ts: seq * 1_000 };
	const cause = parent === undefined ? undefined : { parent_event_id: parent };
	return feedEvent.parse({ ...base, event_id: `s:R1:E${seq}`, kind, data, cause });
}

function open(world: World, id: string): DetailState {
	return detailPane.start(world, `s:R1:${id}` as EventId);
}

function press(state: DetailState, actions: readonly string[], world: World): DetailState {
	return actions.reduce((before, action) => detailPane.act(before, action, world, ROOM).state, state);
}

function text(state: DetailState, world: World): string {
	return toText(detailPane.draw(state, world, ROOM).rows, ROOM.width, ROOM.styles);
}
