// A todo that is done.
import { because } from '@roost/core/display/first-line';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const todoDone: Renderer<'todo.done'> = titled(
	'todoDone',
	'faint',
	({ data }) => `Todo ${data.todo_id} done${because(data.reason)}`,
);
