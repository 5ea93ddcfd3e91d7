// A todo that changed.

import { firstLine } from '@roost/core/display/first-line';
import { row, span } from '../screen/row.ts';
import { fieldRows } from './field-rows.ts';
import type { Renderer, Sign } from './renderer.ts';

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
