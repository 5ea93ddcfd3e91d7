// The input of an ask as rows, in full: made as far as it is looked at, and remembered, so that a huge one costs a frame nothing.
import type { AskDetail } from '@roost/protocol/api/asks';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { inputRows } from '../renderers/tools/input-rows.ts';
import type { Styles } from '../screen/styles.ts';

export function askInput(ask: AskDetail, width: number, styles: Styles): LazyRows {
	const known = remembered.get(ask);
	if (known && known.width === width && known.styles === styles) return known.rows;
	const rows = createLazyRows(inputRows({ tool: ask.tool, input: ask.input, file: ask.file }, width, styles));
	remembered.set(ask, { width, styles, rows });
	return rows;
}

const remembered = new WeakMap<AskDetail, { width: number; styles: Styles; rows: LazyRows }>();
