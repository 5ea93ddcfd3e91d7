// Todos.
import { because, firstLine } from '@roost/core/display/first-line';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer, Sign } from './renderer.ts';
import { fieldRows, titled } from './rows.ts';

/** A todo that was written down. */
export const todoAdd: Renderer<'todo.add'> = {
	sign: () => ({ glyph: 'todoOpen', tone: 'faint' }),
	line: ({ data }) => row(span(firstLine(data.text), 'faint')),
	body: ({ data }, { styles }, width) => (data.details ? markdownRows(data.details, width, styles) : undefined),
};

/** A todo that changed. */
export const todoUpdate: Renderer<'todo.update'> = {
	sign: ({ data }) => signOf(data.patch.status),
	line: ({ data }) => {
		const { text, status } = data.patch;
		return row(span(`${firstLine(text ?? `${data.todo_id} changed`)}${status ? ` (${status})` : ''}`, 'faint'));
	},
	body: ({ data }, _, width) => fieldRows(data.patch, width),
};

function signOf(status: string | undefined): Sign {
	if (status === 'done') return { glyph: 'todoDone', tone: 'faint' };
	return status === 'blocked' ? { glyph: 'ask', tone: 'warn' } : { glyph: 'todoDoing', tone: 'faint' };
}

/** A todo that is done. */
export const todoDone: Renderer<'todo.done'> = titled(
	'todoDone',
	'faint',
	({ data }) => `Todo ${data.todo_id} done${because(data.reason)}`,
);
