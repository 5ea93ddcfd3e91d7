// Pending requests and questions of all projects.
import { basename } from 'node:path';
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import { subjectOf } from '@roost/core/display/tools/subject';
import { toolName } from '@roost/core/display/tools/tool-name';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { SessionRow } from '@roost/protocol/session-row';
import { RISKS } from '../dialogs/ask-parts.ts';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell } from '../parts/cells.ts';
import { clampList, drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { remembering } from '../parts/remembering.ts';
import { type Row, row, span } from '../screen/row.ts';

export type WaitingState = { readonly list: ListState };

export const waitingPane: Pane<WaitingState> = {
	title: 'Needs you',
	keys: [
		...MOVING,
		{ keys: ['enter', 'o'], action: 'decide', help: 'decide it', hint: 'decide' },
		{ keys: ['s'], action: 'session', help: 'open its session', hint: 'session' },
		{ keys: ['esc'], action: 'leave', help: 'back to the feed', hint: 'back' },
	] satisfies readonly Binding[],
	start: () => ({ list: LIST_START }),
	act,
	draw: ({ list }, world, room) => drawWaiting(list, world, room),
};

function act(state: WaitingState, action: string, world: World, room: Room): Step<WaitingState> {
	const { asks } = world;
	const height = room.height - HEAD_ROWS;
	const chosen = asks[clampList(state.list, asks.length, height).selected];
	switch (action) {
		case 'leave':
			return { state, go: 'back' };
		case 'decide':
		case 'session':
			return chosen ? openSession(state, chosen, action === 'decide') : stay(state);
		default:
			return stay({ list: moveInList(state.list, action, asks.length, height) });
	}
}

/** A request is decided with its session open. */
function openSession(state: WaitingState, { id, kind, sessionId }: AskDetail, decides: boolean): Step<WaitingState> {
	return {
		state,
		wishes: [{ type: 'open-session', id: sessionId }],
		go: decides ? { place: kind, ask: id } : { place: 'feed' },
	};
}

const HEAD_ROWS = 2;

function drawWaiting(list: ListState, world: World, room: Room): Drawn {
	const { asks } = world;
	if (asks.length === 0) return { rows: [row(span('  No pending requests.', 'faint'))] };
	const { styles, width } = room;
	const project = Math.min(20, Math.floor(width / 6));
	const total = row(span(`  ${plural(asks.length, 'request')} in all projects, oldest first`, 'faint'));
	const faint = (words: string, size: number) => [cell(words, size, styles, 'faint'), span(' ')];
	const head = [span('  '), ...faint('AGE', 4), ...faint('LEFT', 4), ...faint('RISK', 6), ...faint('PROJECT', project)];
	const toRow = (ask: AskDetail): Row => [
		span('  '),
		...faint(age(ask.openedAt, world.now), 4),
		...faint(ask.expiresAt > world.now ? age(world.now, ask.expiresAt) : '-', 4),
		cell(ask.risk, 6, styles, RISKS[ask.risk]),
		span(' '),
		...faint(basename(sessionOf(ask, world)?.projectPath ?? ''), project),
		cell(ask.sessionId, ID, styles, 'accent'),
		span(' '),
		...whatSpans(ask, sessionOf(ask, world)?.projectPath),
	];
	const rows = drawList(list, asks, Math.max(1, room.height - HEAD_ROWS), toRow);
	return { rows: [total, [...head, ...faint('SESSION', ID), span('WHAT', 'faint')], ...rows].slice(0, room.height) };
}

function whatSpans({ kind, tool, input }: AskDetail, cwd: string | undefined): Row {
	const subject = span(subjectOf(tool, input, cwd));
	return kind === 'question' ? [subject] : [span(`${toolName(tool)} `, 'strong'), subject];
}

const ID = 10;

const sessionsById = remembering((sessions: readonly SessionRow[]) => new Map(sessions.map((session) => [session.id, session])));

function sessionOf({ sessionId }: AskDetail, { sessions }: World): SessionRow | undefined {
	return sessionsById(sessions).get(sessionId);
}
