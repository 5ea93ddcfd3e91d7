// The todos of each actor, and their status.
import type { TodoStatus } from '@roost/protocol/feed/agents';
import type { FeedData, FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { MAX_TODOS } from './bounds.ts';

export type TodoView = Pick<FeedData<'todo.add'>, 'text' | 'priority'> & {
	todoId: string;
	/** Who added it. */
	actorId: ActorId;
	status: TodoStatus;
};

export type Todos = {
	/** By actor and id, at most MAX_TODOS, in the order they were added. */
	byKey: Map<string, TodoView>;
	/** Lists may be shared: an actor can finish a todo of another. */
	lastKeyById: Map<string, string>;
};

export function addTodo(todos: Todos, event: FeedEventOf<'todo.add'>): void {
	const { todo_id: todoId, text, priority } = event.data;
	const key = keyOf(event.actor_id, todoId);
	todos.byKey.set(key, { text, priority, todoId, actorId: event.actor_id, status: 'open' });
	todos.lastKeyById.set(todoId, key);
	if (todos.byKey.size > MAX_TODOS) forgetOne(todos);
}

export function updateTodo(todos: Todos, event: FeedEventOf<'todo.update'>): void {
	const todo = findTodo(todos, event.actor_id, event.data.todo_id);
	if (todo === undefined) return;
	const { text = todo.text, priority = todo.priority, status = todo.status } = event.data.patch;
	Object.assign(todo, { text, priority, status });
}

export function finishTodo(todos: Todos, event: FeedEventOf<'todo.done'>): void {
	const todo = findTodo(todos, event.actor_id, event.data.todo_id);
	if (todo !== undefined) todo.status = 'done';
}

function findTodo(todos: Todos, actorId: ActorId, todoId: string): TodoView | undefined {
	return todos.byKey.get(keyOf(actorId, todoId)) ?? todos.byKey.get(todos.lastKeyById.get(todoId) ?? '');
}

function forgetOne(todos: Todos): void {
	const done = todos.byKey.entries().find(([, todo]) => todo.status === 'done');
	const victim = done ?? todos.byKey.entries().next().value;
	if (victim === undefined) return;
	const [key, { todoId }] = victim;
	todos.byKey.delete(key);
	if (todos.lastKeyById.get(todoId) === key) todos.lastKeyById.delete(todoId);
}

/** Neither part can be mistaken for the other: actor ids are quoted. */
function keyOf(actorId: ActorId, todoId: string): string {
	return `${JSON.stringify(actorId)} ${todoId}`;
}
