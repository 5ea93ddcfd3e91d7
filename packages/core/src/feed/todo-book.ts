// The todos of agents, as far as the next change of a list needs them.
import type { TodoStatus } from '@roost/protocol/feed/agents';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { z } from 'zod';

export type Todo = { text: string; status: TodoStatus };

export type TodoBook = {
	/** How many list entries there ever were: gives the next its id. */
	listed: number;
	/** Each actor's own list, as it last wrote it. */
	lists: Map<ActorId, Map<string, Todo>>;
	/** Tasks have ids of their own, and all actors share them. */
	tasks: Map<string, Todo>;
};

export const TODO_LIST_TOOL = 'TodoWrite';

/** The reason of an entry that its agent removed from the list. */
export const REMOVED = 'removed';

const TASK = 'task-';

export function createTodoBook(): TodoBook {
	return { listed: 0, lists: new Map(), tasks: new Map() };
}

export function toTaskId(nativeId: string): string {
	return `${TASK}${nativeId}`;
}

export function foldTodo(book: TodoBook, event: FeedEventOf<'todo.add' | 'todo.update' | 'todo.done'>): void {
	const id = event.data.todo_id;
	const todos = id.startsWith(TASK) ? book.tasks : listOf(book, event.actor_id);
	const todo = todos.get(id);
	if (event.kind === 'todo.add') {
		if (todos !== book.tasks) book.listed += 1;
		todos.set(id, { text: event.data.text, status: 'open' });
	} else if (event.kind === 'todo.done' && event.data.reason === REMOVED) {
		todos.delete(id);
	} else if (todo) {
		todo.status = event.kind === 'todo.done' ? 'done' : (event.data.patch.status ?? todo.status);
		if (event.kind === 'todo.update') todo.text = event.data.patch.text ?? todo.text;
	}
}

/** Done entries that the agent no longer lists are forgotten; the others have events of their own. */
export function foldTodoList(book: TodoBook, event: FeedEventOf<'tool.post'>): void {
	const listed = new Set(parseTodoList(event.data.tool_input)?.map(({ text }) => text));
	const list = listOf(book, event.actor_id);
	for (const [id, todo] of list) if (todo.status === 'done' && !listed.has(todo.text)) list.delete(id);
}

export function forgetDone(book: TodoBook): void {
	for (const [id, task] of book.tasks) if (task.status === 'done') book.tasks.delete(id);
}

export const nativeStatus = z.enum(['pending', 'in_progress', 'completed']);

export const todoStatuses: Record<z.infer<typeof nativeStatus>, TodoStatus> = {
	pending: 'open',
	in_progress: 'doing',
	completed: 'done',
};

const todoList = z.looseObject({ todos: z.array(z.looseObject({ content: z.string(), status: nativeStatus })) });

/** The entries of a TodoWrite call; null for any other input. */
export function parseTodoList(input: ToolInput): Todo[] | null {
	const parsed = todoList.safeParse(input);
	if (!parsed.success) return null;
	return parsed.data.todos.map(({ content, status }) => ({ text: content, status: todoStatuses[status] }));
}

function listOf(book: TodoBook, actorId: ActorId): Map<string, Todo> {
	const list = book.lists.get(actorId) ?? new Map<string, Todo>();
	book.lists.set(actorId, list);
	return list;
}
