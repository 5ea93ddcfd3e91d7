// Pending requests and questions of all projects, and those of other runners of the hub below.
import { basename } from 'node:path';
import { shownRunner } from '@roost/client/world/watch-runners';
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import { subjectOf } from '@roost/core/display/tools/subject';
import { toolName } from '@roost/core/display/tools/tool-name';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import type { SessionRow } from '@roost/protocol/session-row';
import { RISKS } from '../dialogs/ask-parts.ts';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell } from '../parts/cells.ts';
import { clampList, drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { remembering } from '../parts/remembering.ts';
import { type Row, row, span } from '../screen/row.ts';
import { atOthers } from './runners.ts';

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

/** A request at another runner has that runner. */
type Item = { readonly ask: AskDetail; readonly runner?: InboxAsk['runner'] };

function itemsOf({ asks, elsewhere }: World): readonly Item[] {
	return [...asks.map((ask) => ({ ask })), ...elsewhere.map((ask) => ({ ask, runner: ask.runner }))];
}

function act(state: WaitingState, action: string, world: World, room: Room): Step<WaitingState> {
	const items = itemsOf(world);
	const height = room.height - HEAD_ROWS;
	const chosen = items[clampList(state.list, items.length, height).selected];
	switch (action) {
		case 'leave':
			return { state, go: 'back' };
		case 'decide':
		case 'session':
			return chosen ? openSession(state, chosen, action === 'decide') : stay(state);
		default:
			return stay({ list: moveInList(state.list, action, items.length, height) });
	}
}

/** A request is decided with its session open. */
function openSession(state: WaitingState, { ask, runner }: Item, decides: boolean): Step<WaitingState> {
	const { id, kind, sessionId } = ask;
	if (runner) {
		const next = { runner: runner.id, session: sessionId, ...(decides && { ask: id }) };
		return { state, wishes: [{ type: 'switch-runner', ...next }] };
	}
	return {
		state,
		wishes: [{ type: 'open-session', id: sessionId }],
		go: decides ? { place: kind, ask: id } : { place: 'feed' },
	};
}

const HEAD_ROWS = 2;
/** From this width on there is room for the project beside the runner. */
const WIDE = 100;

function drawWaiting(list: ListState, world: World, room: Room): Drawn {
	const items = itemsOf(world);
	if (items.length === 0) return { rows: [row(span('  No pending requests.', 'faint'))] };
	const { styles, width, height } = room;
	const place = Math.min(20, Math.floor(width / 6));
	const hasRunners = world.elsewhere.length > 0;
	const hasProjects = !hasRunners || (width >= WIDE && world.asks.length > 0);
	const own = shownRunner(world)?.name ?? '';
	const faint = (words: string, size: number) => [cell(words, size, styles, 'faint'), span(' ')];
	const head: Row = [
		span('  '),
		...faint('AGE', 4),
		...faint('LEFT', 4),
		...faint('RISK', 6),
		...(hasRunners ? faint('RUNNER', place) : []),
		...(hasProjects ? faint('PROJECT', place) : []),
		...faint('SESSION', ID),
		span('WHAT', 'faint'),
	];
	const toRow = ({ ask, runner }: Item): Row => {
		const session = runner ? undefined : sessionOf(ask, world);
		return [
			span('  '),
			...faint(age(ask.openedAt, world.now), 4),
			...faint(ask.expiresAt > world.now ? age(world.now, ask.expiresAt) : '-', 4),
			cell(ask.risk, 6, styles, RISKS[ask.risk]),
			span(' '),
			...(hasRunners ? [cell(runner?.name ?? own, place, styles, runner ? 'strong' : 'faint'), span(' ')] : []),
			...(hasProjects ? faint(basename(session?.projectPath ?? ''), place) : []),
			cell(ask.sessionId, ID, styles, 'accent'),
			span(runner?.online === false ? ' offline ' : ' ', 'bad'),
			...whatSpans(ask, session?.projectPath),
		];
	};
	const rows = drawList(list, items, Math.max(1, height - HEAD_ROWS), toRow);
	return { rows: [totalRow(world), head, ...rows].slice(0, height) };
}

function totalRow(world: World): Row {
	const { asks, elsewhere } = world;
	if (elsewhere.length === 0) return row(span(`  ${plural(asks.length, 'request')} in all projects, oldest first`, 'faint'));
	const own = asks.length === 0 ? 'No request' : plural(asks.length, 'request');
	const here = `${own} at ${shownRunner(world)?.name ?? 'this runner'}`;
	return row(span(`  ${here}, ${atOthers(elsewhere.length)}, oldest first`, 'faint'));
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
