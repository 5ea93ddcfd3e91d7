// Derives todo events from the calls that change lists: TodoWrite, TaskCreate, TaskUpdate.
import type { FeedCause, ToolInput } from '@roost/protocol/feed/base';
import type { FeedData } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { z } from 'zod';
import type { DraftOf } from './draft.ts';
import {
	nativeStatus,
	parseTodoList,
	REMOVED,
	TODO_LIST_TOOL,
	type Todo,
	type TodoBook,
	todoStatuses,
	toTaskId,
} from './todo-book.ts';

export type DoneCall = { actorId: ActorId; tool: string; input: ToolInput; response: unknown; cause: FeedCause };

type TodoDraft = DraftOf<'todo.add' | 'todo.update' | 'todo.done'>;
type Change =
	| { kind: 'todo.add'; data: FeedData<'todo.add'> }
	| { kind: 'todo.update'; data: FeedData<'todo.update'> }
	| { kind: 'todo.done'; data: FeedData<'todo.done'> };

export function deriveTodos(book: TodoBook, call: DoneCall): TodoDraft[] {
	return changesOf(book, call).map((change) => ({ ...change, actor_id: call.actorId, cause: call.cause }));
}

function changesOf(book: TodoBook, call: DoneCall): Change[] {
	if (call.tool === TODO_LIST_TOOL) return listChanges(book, call);
	if (call.tool === 'TaskCreate') return taskCreation(call);
	if (call.tool === 'TaskUpdate') return taskChanges(book, call);
	return [];
}

function listChanges(book: TodoBook, call: DoneCall): Change[] {
	const entries = parseTodoList(call.input);
	if (!entries) return [];
	const before = book.lists.get(call.actorId) ?? new Map<string, Todo>();
	const kept = matchEntries(before, entries);
	const gone = [...before].filter(([id, todo]) => todo.status !== 'done' && !kept.includes(id));
	let added = book.listed;
	const changes = entries.flatMap((entry, index): Change[] => {
		const id = kept[index];
		const old = id === undefined ? undefined : before.get(id);
		if (id !== undefined && old) return entryChanges(id, old, entry);
		added += 1;
		return addition(`todo-${added}`, entry, call);
	});
	return [...changes, ...gone.map(([id]): Change => ({ kind: 'todo.done', data: { todo_id: id, reason: REMOVED } }))];
}

/** The old entry of each new one: the same text, else the open one in the same place, reworded. */
function matchEntries(before: ReadonlyMap<string, Todo>, entries: readonly Todo[]): (string | undefined)[] {
	const old = [...before];
	const free = new Map(before);
	const take = (id: string | undefined) => {
		if (id !== undefined) free.delete(id);
		return id;
	};
	const byText = Map.groupBy(old, ([, todo]) => todo.text);
	const same = entries.map(({ text }) => take(byText.get(text)?.shift()?.[0]));
	return same.map((id, index) => {
		if (id !== undefined) return id;
		const there = old[index];
		return there && free.has(there[0]) && there[1].status !== 'done' ? take(there[0]) : undefined;
	});
}

function entryChanges(id: string, old: Todo, entry: Todo): Change[] {
	const text = entry.text === old.text ? undefined : entry.text;
	const status = entry.status === old.status || entry.status === 'done' ? undefined : entry.status;
	const changes: Change[] = [];
	if (text !== undefined || status !== undefined)
		changes.push({ kind: 'todo.update', data: { todo_id: id, patch: { text, status } } });
	if (entry.status === 'done' && old.status !== 'done') changes.push({ kind: 'todo.done', data: { todo_id: id } });
	return changes;
}

function addition(id: string, entry: Todo & { details?: string }, { actorId, cause }: DoneCall): Change[] {
	const { text, details } = entry;
	const data = { todo_id: id, text, details, linked_event_id: cause.parent_event_id, assigned_actor_id: actorId };
	return [{ kind: 'todo.add', data }, ...entryChanges(id, { text, status: 'open' }, entry)];
}

const taskInput = z.looseObject({ subject: z.string(), description: z.string().nullish() });
const taskOutput = z.looseObject({ task: z.looseObject({ id: z.string() }) });

/** The response has the id of the task; without one, the id of the call is used. */
function taskCreation(call: DoneCall): Change[] {
	const input = taskInput.safeParse(call.input);
	if (!input.success) return [];
	const output = taskOutput.safeParse(call.response);
	const id = output.success ? output.data.task.id : call.cause.tool_use_id;
	if (id === undefined) return [];
	const { subject, description } = input.data;
	return addition(toTaskId(id), { text: subject, details: description ?? undefined, status: 'open' }, call);
}

const taskPatch = z.looseObject({
	taskId: z.string(),
	subject: z.string().nullish(),
	description: z.string().nullish(),
	status: z.enum([...nativeStatus.options, 'deleted']).nullish(),
});
const taskAnswer = z.looseObject({ success: z.boolean().nullish(), statusChange: z.looseObject({ to: z.string() }).nullish() });

function taskChanges(book: TodoBook, call: DoneCall): Change[] {
	const input = taskPatch.safeParse(call.input);
	const answer = taskAnswer.safeParse(call.response);
	if (!input.success || (answer.success && answer.data.success === false)) return [];
	const { taskId, subject, description, status } = input.data;
	const todo_id = toTaskId(taskId);
	const known = book.tasks.get(todo_id);
	const text = subject && subject !== known?.text ? subject : undefined;
	const details = description ?? undefined;
	const next = status && status !== 'deleted' ? todoStatuses[status] : undefined;
	const moved = next !== undefined && (known ? known.status !== next : answer.success && answer.data.statusChange != null);
	const open = moved && next !== 'done' ? next : undefined;

	const changes: Change[] = [];
	if (text || details || open) changes.push({ kind: 'todo.update', data: { todo_id, patch: { text, details, status: open } } });
	if (moved && next === 'done') changes.push({ kind: 'todo.done', data: { todo_id } });
	if (status === 'deleted') changes.push({ kind: 'todo.done', data: { todo_id, reason: REMOVED } });
	return changes;
}
