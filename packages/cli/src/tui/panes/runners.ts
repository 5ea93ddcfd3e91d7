// The runners of the hub: which are online, and what they do. Enter shows another one.
import type { World } from '@roost/client/world/world';
import { clockTime } from '@roost/core/display/clock-time';
import { plural } from '@roost/core/display/plural';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell, numberCell } from '../parts/cells.ts';
import { clampList, drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { type Row, row, span } from '../screen/row.ts';
import { RUN_STATES } from './run-states.ts';

export type RunnersState = { readonly list: ListState };

export const runnersPane: Pane<RunnersState> = {
	title: 'Runners',
	keys: [
		...MOVING,
		{ keys: ['enter', 'o'], action: 'switch', help: 'switch to it', hint: 'switch' },
		{ keys: ['esc'], action: 'leave', help: 'back to the feed', hint: 'back' },
	] satisfies readonly Binding[],
	start: ({ runners }) => ({
		list: { ...LIST_START, selected: Math.max(0, runners?.rows.findIndex(({ id }) => id === runners.shown) ?? 0) },
	}),
	act,
	draw: ({ list }, world, room) => drawRunners(list, world, room),
};

function act(state: RunnersState, action: string, { runners }: World, room: Room): Step<RunnersState> {
	const rows = runners?.rows ?? [];
	const height = room.height - HEAD_ROWS;
	const chosen = rows[clampList(state.list, rows.length, height).selected];
	switch (action) {
		case 'leave':
			return { state, go: 'back' };
		case 'switch':
			if (!chosen || chosen.id === runners?.shown) return { state, go: 'feed' };
			return { state, wishes: [{ type: 'switch-runner', runner: chosen.id }] };
		default:
			return stay({ list: moveInList(state.list, action, rows.length, height) });
	}
}

const HEAD_ROWS = 2;
/** Fits "offline since 2026-05-03 14:02". */
const STATUS = 30;
const NUMBERS = { working: 7, requests: 9, version: 8 };
const REST = 4 + 1 + STATUS + NUMBERS.working + NUMBERS.requests + 2 + NUMBERS.version;
const LONGEST_NAME = 40;

function drawRunners(list: ListState, { runners, now }: World, { width, height, styles }: Room): Drawn {
	const rows = runners?.rows ?? [];
	const name = Math.max(8, Math.min(LONGEST_NAME, width - REST));
	const away = rows.filter(({ online }) => !online).length;
	const total = row(span(`  ${plural(rows.length, 'runner')} of this hub${away > 0 ? `, ${away} offline` : ''}`, 'faint'));
	const head: Row = [
		span('    '),
		cell('RUNNER', name, styles, 'faint'),
		span(' '),
		cell('STATUS', STATUS, styles, 'faint'),
		numberCell('WORKING', NUMBERS.working, styles, 'faint'),
		numberCell('REQUESTS', NUMBERS.requests, styles, 'faint'),
		span('  '),
		cell('VERSION', NUMBERS.version, styles, 'faint'),
	];
	const toRow = (runner: RunnerRow): Row => {
		const { glyph, tone } = RUN_STATES[stateOf(runner)];
		return [
			span(runner.id === runners?.shown ? styles.glyphs.prompt : ' ', 'accent'),
			span(` ${styles.glyphs[glyph]} `, tone),
			cell(runner.name, name, styles, 'strong'),
			span(' '),
			cell(presenceWords(runner, now), STATUS, styles, runner.online ? 'good' : 'bad'),
			numberCell(runner.online ? String(runner.working) : '-', NUMBERS.working, styles, 'faint'),
			numberCell(String(runner.asks), NUMBERS.requests, styles, runner.asks > 0 ? 'warn' : 'faint'),
			span('  '),
			cell(runner.version, NUMBERS.version, styles, 'faint'),
		];
	};
	return { rows: [total, head, ...drawList(list, rows, Math.max(1, height - HEAD_ROWS), toRow)].slice(0, height) };
}

function stateOf({ online, asks, working }: RunnerRow): keyof typeof RUN_STATES {
	if (!online) return 'ended';
	if (asks > 0) return 'waiting';
	return working > 0 ? 'working' : 'idle';
}

export function presenceWords({ online, since }: Pick<RunnerRow, 'online' | 'since'>, now: number): string {
	return online ? 'online' : `offline since ${clockTime(since, now)}`;
}

export function atOthers(count: number): string {
	return `${count} at ${count === 1 ? 'another runner' : 'other runners'}`;
}
