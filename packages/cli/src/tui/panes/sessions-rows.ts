// How the list of sessions looks, and which of them are in it.
import { basename } from 'node:path';
import type { SessionRow } from '@roost/protocol/session-row';
import { age } from '../../output/table.ts';
import type { Drawn, Room } from '../pane.ts';
import { plural, short } from '../parts/amounts.ts';
import { cell, numberCell } from '../parts/cells.ts';
import { drawList } from '../parts/list.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { World } from '../world.ts';
import { RUN_STATES } from './run-states.ts';
import type { SessionsState } from './sessions.ts';

/** What stands above the list. */
export const HEAD_ROWS = 2;

export function drawSessions(state: SessionsState, world: World, room: Room): Drawn {
	const shown = sessionsShown(state, world);
	const head = headRow(state, shown.length, world);
	const list = shown.length > 0 ? listRows(state, shown, world, room) : emptyRows(state, world, room);
	const column = Math.min(room.width - 1, rowWidth(head.slice(0, 2)));
	return { rows: [head, ...list].slice(0, room.height), cursor: state.typing ? { line: 0, column } : undefined };
}

/** Remembered, because it is asked for several times for each key and frame. */
export function sessionsShown({ everywhere, filter }: SessionsState, { sessions, project }: World): readonly SessionRow[] {
	const key = `${everywhere} ${project.id} ${filter.text}`;
	const known = remembered.get(sessions);
	if (known?.key === key) return known.shown;
	const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
	const here = everywhere ? sessions : sessions.filter(({ projectId }) => projectId === project.id);
	const shown = words.length === 0 ? here : here.filter((session) => hasWords(session, words));
	remembered.set(sessions, { key, shown });
	return shown;
}

const remembered = new WeakMap<readonly SessionRow[], { key: string; shown: readonly SessionRow[] }>();

function hasWords({ id, agent, model = '', title, status, projectPath }: SessionRow, words: readonly string[]): boolean {
	const text = [id, agent, model, title, RUN_STATES[status].words, projectPath].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The part that is typed comes first, so that the cursor can stand behind it. */
function headRow({ everywhere, filter, typing, ending }: SessionsState, count: number, { project }: World): Row {
	if (ending)
		return row(span(`  End ${ending} for good, with whatever its agent does right now?  y ends it, n keeps it`, 'warn'));
	const where = everywhere ? 'of all projects' : `of ${basename(project.path)}`;
	const total = span(`  ${plural(count, 'session')} ${where}`, 'faint');
	if (!typing && filter.text === '') return row(total);
	return row(span(' /', 'accent'), span(filter.text.slice(0, filter.cursor)), span(filter.text.slice(filter.cursor)), total);
}

function listRows(state: SessionsState, shown: readonly SessionRow[], world: World, room: Room): Row[] {
	const columns = columnsOf(state.everywhere, room);
	const height = Math.max(1, room.height - HEAD_ROWS);
	return [columns.head(), ...drawList(state.list, shown, height, (session) => columns.row(session, world))];
}

function columnsOf(everywhere: boolean, { width, look }: Room) {
	const project = everywhere && width >= 50 ? Math.min(20, Math.floor(width / 6)) : 0;
	const agent = width >= 60 ? 8 : 0;
	const faint = (words: string, size: number) => (size > 0 ? [cell(words, size, look, 'faint'), span(' ')] : []);
	return {
		head: (): Row => [
			span('    '),
			...faint('SESSION', ID),
			...faint('AGENT', agent),
			...faint('AGE', 4),
			numberCell('EVENTS', 6, look, 'faint'),
			span('  '),
			...faint('PROJECT', project),
			span('TITLE', 'faint'),
		],
		row(session: SessionRow, { open, now }: World): Row {
			const isOpen = session.id === open?.id;
			const { glyph, tone } = RUN_STATES[isOpen ? open.view.state.status : session.status];
			return [
				span(isOpen ? look.glyphs.prompt : ' ', 'accent'),
				span(` ${look.glyphs[glyph]} `, tone),
				cell(session.id, ID, look, 'accent'),
				span(' '),
				...faint(session.agent, agent),
				...faint(age(session.lastEventAt, now), 4),
				numberCell(short(session.events), 6, look, 'faint'),
				span('  '),
				...faint(basename(session.projectPath), project),
				session.title ? span(session.title) : span('nothing was asked yet', 'faint'),
			];
		},
	};
}

const ID = 10;

function emptyRows({ everywhere, filter }: SessionsState, { sessions }: World, { width, height }: Room): Row[] {
	return [...wrapped(emptySentence(everywhere, filter.text, sessions.length), width - 1, 'faint')].slice(0, height - 1);
}

function emptySentence(everywhere: boolean, filter: string, total: number): string {
	if (filter !== '') return 'No session has these words.';
	if (total === 0) return 'No session yet. Start one in another terminal with "roost claude".';
	return everywhere ? 'No session yet.' : 'No session in this project: press p to see those of all projects.';
}
