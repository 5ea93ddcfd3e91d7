// Draws the list of sessions, with its filter.
import { basename } from 'node:path';
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { stateWords } from '@roost/core/views/words';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Drawn, Room } from '../pane.ts';
import { cell, numberCell } from '../parts/cells.ts';
import { clampList, drawList } from '../parts/list.ts';
import { remembering } from '../parts/remembering.ts';
import { drawField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import type { Cursor } from '../screen/painter.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import { RUN_STATES } from './run-states.ts';
import type { Renaming, SessionsState } from './sessions.ts';

export const HEAD_ROWS = 2;

export function drawSessions(state: SessionsState, world: World, room: Room): Drawn {
	const shown = sessionsShown(state, world);
	const head = headRow(state, shown.length, world);
	const list = shown.length > 0 ? listRows(state, shown, world, room) : emptyRows(state, world, room);
	return { rows: [head, ...list].slice(0, room.height), cursor: cursorIn(state, shown, head, room) };
}

/** After the filter, or in the title that is being edited. */
function cursorIn(state: SessionsState, shown: readonly SessionRow[], head: Row, room: Room): Cursor | undefined {
	const inside = (line: number, column: number) => ({ line, column: Math.min(room.width - 1, column) });
	const { renaming, typing } = state;
	if (!renaming) return typing ? inside(0, rowWidth(head.slice(0, 2))) : undefined;
	const height = Math.max(1, room.height - HEAD_ROWS);
	const line = shown.findIndex(({ id }) => id === renaming.id) - clampList(state.list, shown.length, height).top;
	if (line < 0 || line >= room.height - HEAD_ROWS) return undefined;
	const { before } = columnsOf(state, room);
	return inside(line + HEAD_ROWS, before + titleField(renaming, before, room).column);
}

function titleField({ field }: Renaming, before: number, { width }: Room): { row: Row; column: number } {
	const { rows, cursor } = drawField(field, Math.max(1, width - before - 1), 'accent');
	return { row: rows[cursor.line] ?? [], column: cursor.column };
}

export function sessionsShown(state: SessionsState, { sessions, project }: World): readonly SessionRow[] {
	return filterSessions(sessions, state.everywhere ? undefined : project.path, state.archived, state.filter.text);
}

const filterSessions = remembering(
	(sessions: readonly SessionRow[], path: string | undefined, archived: boolean, filter: string) => {
		const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
		return sessions.filter(
			(session) =>
				(path === undefined || session.projectPath === path) &&
				(archived || !session.archived) &&
				(words.length === 0 || hasWords(session, words)),
		);
	},
);

function hasWords(session: SessionRow, words: readonly string[]): boolean {
	const { id, agent, model = '', title, projectPath } = session;
	const text = [id, agent, model, title, stateWords(session), projectPath].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The filter comes first, so that the cursor can follow it. */
function headRow(
	{ everywhere, archived, filter, typing, ending, renaming }: SessionsState,
	count: number,
	{ project }: World,
): Row {
	if (renaming) return row(span(`  Title for ${renaming.id}: Enter saves, Esc cancels`, 'warn'));
	if (ending) return row(span(`  End ${ending} and the current work of its agent?  y ends it, n keeps it`, 'warn'));
	const where = everywhere ? 'of all projects' : `of ${basename(project.path)}`;
	const total = span(`  ${plural(count, 'session')} ${where}${archived ? ', including archived' : ''}`, 'faint');
	if (!typing && filter.text === '') return row(total);
	return row(span(' /', 'accent'), span(filter.text.slice(0, filter.cursor)), span(filter.text.slice(filter.cursor)), total);
}

function listRows(state: SessionsState, shown: readonly SessionRow[], world: World, room: Room): Row[] {
	const columns = columnsOf(state, room);
	const height = Math.max(1, room.height - HEAD_ROWS);
	return [columns.head(), ...drawList(state.list, shown, height, (session) => columns.row(session, world))];
}

function columnsOf({ everywhere, renaming }: SessionsState, room: Room) {
	const { width, styles } = room;
	const project = everywhere && width >= 50 ? Math.min(20, Math.floor(width / 6)) : 0;
	const agent = width >= 60 ? 8 : 0;
	const faint = (words: string, size: number) => (size > 0 ? [cell(words, size, styles, 'faint'), span(' ')] : []);
	const between = (size: number) => (size > 0 ? size + 1 : 0);
	const before = 4 + between(ID) + between(agent) + between(4) + 6 + 2 + between(project);
	const title = (session: SessionRow): Row => {
		if (session.id === renaming?.id) return titleField(renaming, before, room).row;
		const words = session.title ? span(session.title) : span('no prompt yet', 'faint');
		return session.archived ? [span('archived  ', 'faint'), words] : [words];
	};
	return {
		before,
		head: (): Row => [
			span('    '),
			...faint('SESSION', ID),
			...faint('AGENT', agent),
			...faint('AGE', 4),
			numberCell('EVENTS', 6, styles, 'faint'),
			span('  '),
			...faint('PROJECT', project),
			span('TITLE', 'faint'),
		],
		row(session: SessionRow, { open, now }: World): Row {
			const isOpen = session.id === open?.id;
			const { glyph, tone } = RUN_STATES[isOpen ? open.view.state.status : session.status];
			return [
				span(isOpen ? styles.glyphs.prompt : ' ', 'accent'),
				span(` ${styles.glyphs[glyph]} `, tone),
				cell(session.id, ID, styles, 'accent'),
				span(' '),
				...faint(session.agent, agent),
				...faint(age(session.lastEventAt, now), 4),
				numberCell(short(session.events), 6, styles, 'faint'),
				span('  '),
				...faint(basename(session.projectPath), project),
				...title(session),
			];
		},
	};
}

const ID = 10;

function emptyRows(state: SessionsState, world: World, { width, height }: Room): Row[] {
	return [...wrapped(emptySentence(state, world), width - 1, 'faint')].slice(0, height - 1);
}

function emptySentence(state: SessionsState, world: World): string {
	const { everywhere, filter } = state;
	if (filter.text !== '') return 'No session matches.';
	if (world.sessions.length === 0)
		return 'No session yet. Start one with ":new claude", or in another terminal with "roost claude".';
	if (sessionsShown({ ...state, archived: true }, world).length > 0) return 'All sessions are archived. Press v to show them.';
	return everywhere ? 'No session yet.' : 'No session in this project: press p to see those of all projects.';
}
