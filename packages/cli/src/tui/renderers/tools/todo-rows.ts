// A list of todos as a tool sets it.

import { toJson } from '@roost/core/display/to-json';
import { textAt } from '@roost/core/display/tools/fields';
import { hanging } from '../../parts/wrapped.ts';
import { type Row, span } from '../../screen/row.ts';
import type { Styles, Tone } from '../../screen/styles.ts';

export function* toolTodoRows(todos: readonly unknown[], width: number, styles: Styles): Generator<Row> {
	for (const todo of todos) {
		const { sign, tone } = stateOf(textAt(todo, 'status'), styles);
		yield* hanging([span(`${sign} `, tone)], textAt(todo, 'content') ?? toJson(todo), width, tone);
	}
}

function stateOf(status: string | undefined, { glyphs }: Styles): { sign: string; tone?: Tone } {
	if (status === 'completed') return { sign: glyphs.todoDone, tone: 'faint' };
	return status === 'in_progress' ? { sign: glyphs.todoDoing, tone: 'accent' } : { sign: glyphs.todoOpen };
}
