// How the composer looks: what waits for the agent, and below it what is being written.

import type { World } from '@roost/client/world/world';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { Drawn, Room } from '../pane.ts';
import { clampList, drawList, LIST_START } from '../parts/list.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span, unselectRow } from '../screen/row.ts';
import type { ComposerState } from './composer.ts';
import { fieldBox } from './field-box.ts';

/** So many of those that wait are seen at once. */
export const QUEUE_ROWS = 5;
const MARGIN = 1;
/** More than any window is wide. */
const LONGEST_ROW = 1_000;

/** For the agent of the open session. */
export function waitingIn({ open, queues }: World): readonly QueuedPrompt[] {
	return (open && queues.get(open.id)) ?? [];
}

export function drawComposer(state: ComposerState, world: World, room: Room): Drawn {
	if (state.refusal !== null) return { rows: sentence(state.refusal, room) };
	const above = [...queueRows(state, world, room), ...headRow(state, world)];
	const below = state.problem === '' ? [] : [row(span(` ${state.problem}`, 'warn'))];
	const box = fieldBox(state.field, room.height - above.length - below.length, room);
	const cursor = { ...box.cursor, line: box.cursor.line + above.length };
	return { rows: [...above, ...box.rows, ...below], ...(state.choosing ? {} : { cursor }) };
}

function sentence(text: string, { width }: Room): Row[] {
	return [...wrapped(text, width - 2 * MARGIN)].map((line) => row(' ', ...line));
}

/** Those that wait; nothing is selected while one writes. */
function queueRows({ choosing, changing }: ComposerState, world: World, room: Room): Row[] {
	const waiting = waitingIn(world);
	if (waiting.length === 0) return [];
	const list = clampList(choosing ?? LIST_START, waiting.length, QUEUE_ROWS);
	const rows = drawList(list, waiting, QUEUE_ROWS, (prompt) => queueRow(prompt, prompt.id === changing, room));
	const count = waiting.length === 1 ? '1 prompt waits' : `${waiting.length} prompts wait`;
	return [row(span(` ${count} until the agent is done:`, 'faint')), ...(choosing ? rows : rows.map(unselectRow))];
}

function queueRow({ text }: QueuedPrompt, isChanging: boolean, { styles }: Room): Row {
	const words = text.slice(0, LONGEST_ROW).trim().replaceAll(/\s+/g, ' ');
	return row(span(` ${styles.glyphs.prompt} `, 'accent'), span(words, isChanging ? 'faint' : undefined));
}

function headRow({ changing }: ComposerState, world: World): Row[] {
	if (changing !== null) {
		const waits = waitingIn(world).some(({ id }) => id === changing);
		return [row(span(waits ? ' Change what waits: Enter saves it, Esc leaves it as it is.' : GONE, waits ? 'faint' : 'warn'))];
	}
	const isNews = world.open?.view.state.openRun !== undefined && waitingIn(world).length === 0;
	return isNews ? [row(span(' The agent is busy: what you send now waits until it is done.', 'faint'))] : [];
}

const GONE = ' Already sent or cancelled. Press Esc.';
