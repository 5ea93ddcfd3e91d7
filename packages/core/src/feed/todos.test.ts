import type { FeedEvent } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { ROOT_AGENT } from './entities.ts';
import { call, scriptSession } from './feed.contract.ts';

type Entry = [content: string, status?: 'pending' | 'in_progress' | 'completed'];

const begin = () => {
	const session = scriptSession();
	session.report('UserPromptSubmit', { prompt: 'go' });
	let calls = 0;
	const use = (tool: string, input: Record<string, unknown>, tool_response: unknown = {}, agentId?: string) => {
		const made = call(tool, input, `t${++calls}`);
		session.report('PreToolUse', made, { agentId });
		return todosOf(session.report('PostToolUse', { ...made, tool_response }, { agentId }));
	};
	const write = (entries: Entry[], agentId?: string) => {
		const todos = entries.map(([content, status = 'pending']) => ({ content, status, activeForm: content }));
		return use('TodoWrite', { todos }, {}, agentId);
	};
	return { session, use, write };
};

const todosOf = (events: FeedEvent[]) =>
	events.flatMap((event) => (event.kind.startsWith('todo.') ? [[event.kind, event.data]] : []));
const added = (todo_id: string, text: string) => ['todo.add', expect.objectContaining({ todo_id, text })];
const updated = (todo_id: string, patch: object) => ['todo.update', { todo_id, patch }];
const done = (todo_id: string, reason?: string) => ['todo.done', { todo_id, reason }];

describe('todo list', () => {
	it('adds new entries with their status', () => {
		expect(begin().write([['a'], ['b', 'in_progress'], ['c', 'completed']])).toEqual([
			added('todo-1', 'a'),
			added('todo-2', 'b'),
			updated('todo-2', { status: 'doing' }),
			added('todo-3', 'c'),
			done('todo-3'),
		]);
	});

	it('records only the changes when it is written again', () => {
		const { write } = begin();
		write([['a'], ['b']]);
		expect(write([['a', 'in_progress'], ['b']])).toEqual([updated('todo-1', { status: 'doing' })]);
		expect(write([['a', 'completed'], ['b'], ['c']])).toEqual([done('todo-1'), added('todo-3', 'c')]);
		expect(write([['a', 'completed'], ['b'], ['c']])).toEqual([]);
	});

	it('keeps a reworded entry and ends a removed one', () => {
		const { write } = begin();
		write([['a'], ['b'], ['c']]);
		expect(write([['a'], ['b, better', 'in_progress']])).toEqual([
			updated('todo-2', { text: 'b, better', status: 'doing' }),
			done('todo-3', 'removed'),
		]);
		expect(write([['b, better', 'completed']])).toEqual([done('todo-2'), done('todo-1', 'removed')]);
	});

	it('adds a removed entry again if it reappears', () => {
		const { write } = begin();
		write([['a'], ['b']]);
		write([['b']]);
		expect(write([['b'], ['a']])).toEqual([added('todo-3', 'a')]);
	});

	it('forgets entries that are done and no longer listed', () => {
		const { write, session } = begin();
		write([['a', 'completed'], ['b']]);
		expect(write([['b']])).toEqual([]);
		expect(session.state.todos.lists.get(ROOT_AGENT)?.size).toBe(1);
		expect(write([['b'], ['a']])).toEqual([added('todo-3', 'a')]);
	});

	it('distinguishes entries with the same text', () => {
		const { write } = begin();
		expect(write([['x'], ['x']])).toEqual([added('todo-1', 'x'), added('todo-2', 'x')]);
		expect(write([['x', 'completed'], ['x']])).toEqual([done('todo-1')]);
	});

	it('belongs to the agent that wrote it', () => {
		const { write, session } = begin();
		write([['a']]);
		expect(write([['a']], 'sub')).toEqual([added('todo-2', 'a')]);
		const add = session.feed.findLast((event) => event.kind === 'todo.add');
		const pre = session.feed.findLast((event) => event.kind === 'tool.pre');
		expect(add).toMatchObject({
			actor_id: 'subagent:sub',
			cause: { parent_event_id: pre?.event_id },
			data: { assigned_actor_id: 'subagent:sub', linked_event_id: pre?.event_id },
		});
	});

	it('is not changed by a malformed list', () => {
		const { write, use } = begin();
		write([['a']]);
		expect(use('TodoWrite', { todos: [{ content: 'x', status: 'odd' }] })).toEqual([]);
		expect(write([['a']])).toEqual([]);
	});

	it('is not changed by a call that was only announced or that failed', () => {
		const { session } = begin();
		const made = call('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] }, 'x');
		expect(todosOf(session.report('PreToolUse', made))).toEqual([]);
		expect(todosOf(session.report('PostToolUseFailure', { ...made, error: 'no' }))).toEqual([]);
	});
});

describe('tasks', () => {
	const create = (use: ReturnType<typeof begin>['use'], id: string) =>
		use('TaskCreate', { subject: `Task ${id}`, description: 'Do it' }, { task: { id, subject: `Task ${id}` } });

	it('are added with the id that the agent assigned', () => {
		expect(create(begin().use, '7')).toEqual([
			['todo.add', expect.objectContaining({ todo_id: 'task-7', text: 'Task 7', details: 'Do it' })],
		]);
	});

	it('use the id of their call if the agent assigns none', () => {
		expect(begin().use('TaskCreate', { subject: 'x' }, 'created')).toEqual([added('task-t1', 'x')]);
	});

	it('are updated, and completed once', () => {
		const { use } = begin();
		create(use, '1');
		const moved = { success: true, statusChange: { from: 'pending', to: 'in_progress' } };
		expect(use('TaskUpdate', { taskId: '1', status: 'in_progress' }, moved)).toEqual([updated('task-1', { status: 'doing' })]);
		expect(use('TaskUpdate', { taskId: '1', subject: 'Better' }, { success: true })).toEqual([
			updated('task-1', { text: 'Better' }),
		]);
		expect(use('TaskUpdate', { taskId: '1', status: 'completed' })).toEqual([done('task-1')]);
		expect(use('TaskUpdate', { taskId: '1', status: 'completed' })).toEqual([]);
	});

	it('are not counted again by the hooks that report them', () => {
		const { use, session } = begin();
		create(use, '1');
		expect(todosOf(session.report('TaskCreated', { task_id: '1', task_subject: 'Task 1' }))).toEqual([]);
		expect(todosOf(session.report('TaskCompleted', { task_id: '1', task_subject: 'Task 1' }))).toEqual([]);
	});

	it('are recorded as removed when they are deleted', () => {
		const { use } = begin();
		create(use, '1');
		expect(use('TaskUpdate', { taskId: '1', status: 'deleted' })).toEqual([done('task-1', 'removed')]);
	});

	it('are not changed by a failed update', () => {
		const { use } = begin();
		create(use, '1');
		expect(use('TaskUpdate', { taskId: '1', status: 'completed' }, { success: false })).toEqual([]);
	});

	it('are forgotten with the next run once done, and are not completed again', () => {
		const { use, session } = begin();
		create(use, '1');
		use('TaskUpdate', { taskId: '1', status: 'completed' });
		session.report('UserPromptSubmit', { prompt: 'next' });
		expect(session.state.todos.tasks.size).toBe(0);
		expect(use('TaskUpdate', { taskId: '1', status: 'completed' }, { success: true })).toEqual([]);
	});

	it('from before Roost was listening are accepted when the agent updates them', () => {
		const answer = { success: true, statusChange: { from: 'pending', to: 'completed' } };
		expect(begin().use('TaskUpdate', { taskId: '9', status: 'completed' }, answer)).toEqual([done('task-9')]);
	});
});
