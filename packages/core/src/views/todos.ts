// What each actor means to do, and how far it got.
import type { TodoStatus } from '@roost/protocol/feed/agents';
import type { FeedData, FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { MAX_TODOS } from './bounds.ts';

export type TodoView = Omit<FeedData<'todo.add'>, 'todo_id'> & {
	todoId: string;
	/** Who wrote it down. */
	actorId: ActorId;
	status: TodoStatus;
	updatedAt: number;
};

export type Todos = {
	/** By actor and id, at most MAX_TODOS, in the order they were written down. */
	byKey: Map<string, TodoView>;
	/** Lists may be shared: an actor can tick off what another wrote. */
	lastKeyById: Map<string, string>;
};

export function createTodos(): Todos {
	return { byKey: new Map(), lastKeyById: new Map() };
}

export function addTodo(todos: Todos, event: FeedEventOf<'todo.add'>): void {
	const { todo_id: todoId, ...rest } = event.data;
	const key = keyOf(event.actor_id, todoId);
	todos.byKey.set(key, { ...rest, todoId, actorId: event.actor_id, status: 'open', updatedAt: event.ts });
	todos.lastKeyById.set(todoId, key);
	if (todos.byKey.size > MAX_TODOS) forgetOne(todos);
}

export function updateTodo(todos: Todos, event: FeedEventOf<'todo.update'>): void {
	const todo = findTodo(todos, event.actor_id, event.data.todo_id);
	if (todo === undefined) return;
	const { patch } = event.data;
	todo.text = patch.text ?? todo.text;
	todo.details = patch.details ?? todo.details;
	todo.priority = patch.priority ?? todo.priority;
	todo.status = patch.status ?? todo.status;
	todo.assigned_actor_id = patch.assigned_actor_id ?? todo.assigned_actor_id;
	todo.tags = patch.tags ?? todo.tags;
	todo.updatedAt = event.ts;
}

export function finishTodo(todos: Todos, event: FeedEventOf<'todo.done'>): void {
	const todo = findTodo(todos, event.actor_id, event.data.todo_id);
	if (todo === undefined) return;
	todo.status = 'done';
	todo.updatedAt = event.ts;
}

export function todosOf(todos: Todos, actorId: ActorId): TodoView[] {
	return [...todos.byKey.values()].filter((todo) => todo.actorId === actorId);
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
