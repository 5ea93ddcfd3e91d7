// Tasks of every actor and their progress, current ones first.
import type { OpenSession, World } from '@roost/client/world/world';
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { actorName } from '@roost/core/views/actor-names';
import type { TodoView } from '@roost/core/views/todos';
import type { TodoStatus } from '@roost/protocol/feed/agents';
import type { ActorId } from '@roost/protocol/ids';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { bar } from '../parts/cells.ts';
import { drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span, spread } from '../screen/row.ts';
import type { Glyphs, Tone } from '../screen/styles.ts';

export type TasksState = ListState;

export const tasksPane: Pane<TasksState> = {
	title: 'Tasks',
	keys: [...MOVING, { keys: ['esc'], action: 'back', help: 'back to the feed', hint: true }],
	start: () => LIST_START,
	act(state, action, { open }, room) {
		if (action === 'back') return { state, go: 'back' };
		return stay(moveInList(state, action, open ? itemsOf(open).length : 0, room.height));
	},
	draw(state, world, room) {
		const items = world.open ? itemsOf(world.open) : [];
		if (items.length === 0) return { rows: [...wrapped(emptySentence(world), room.width, 'faint')].slice(0, room.height) };
		return { rows: drawList(state, items, room.height, (item) => itemRow(item, room)) };
	},
};

type Item =
	| { readonly type: 'actor'; readonly name: string; readonly done: number; readonly total: number }
	| { readonly type: 'todo'; readonly todo: TodoView };

function itemsOf({ view }: OpenSession): Item[] {
	const byActor = Map.groupBy(view.todos.byKey.values(), ({ actorId }) => actorId);
	const actors = [...byActor.keys()].toSorted((a, b) => Number(b === ROOT_AGENT) - Number(a === ROOT_AGENT));
	return actors.flatMap((actor) => groupOf(actor, byActor.get(actor) ?? [], view.actors));
}

function groupOf(actor: ActorId, todos: readonly TodoView[], actors: OpenSession['view']['actors']): Item[] {
	const done = todos.filter(({ status }) => status === 'done').length;
	const inOrder = todos.toSorted((a, b) => STATES[a.status].place - STATES[b.status].place);
	return [
		{ type: 'actor', name: actorName(actor, actors), done, total: todos.length },
		...inOrder.map((todo): Item => ({ type: 'todo', todo })),
	];
}

const STATES: Record<TodoStatus, { place: number; glyph: keyof Glyphs; tone?: Tone }> = {
	doing: { place: 0, glyph: 'todoDoing', tone: 'accent' },
	blocked: { place: 1, glyph: 'ask', tone: 'warn' },
	open: { place: 2, glyph: 'todoOpen' },
	done: { place: 3, glyph: 'todoDone', tone: 'faint' },
};

function itemRow(item: Item, { width, styles }: Room): Row {
	if (item.type === 'todo') {
		const { status, text, priority } = item.todo;
		const { glyph, tone } = STATES[status];
		const urgent = priority === 'p0' && status !== 'done' ? [span('! ', 'bad')] : [];
		return row(span(`  ${styles.glyphs[glyph]} `, tone), ...urgent, span(text, tone));
	}
	const { name, done, total } = item;
	const length = Math.max(4, Math.min(20, Math.floor(width / 5)));
	const progress = [
		span(`${done} of ${total} `, 'faint'),
		...bar(done / total, length, styles, done === total ? 'good' : 'accent'),
	];
	return spread([span(name, 'strong')], [...progress, span(' ')], width, styles);
}

function emptySentence({ open }: World): string {
	return open ? 'No tasks yet' : 'No session is open.';
}
