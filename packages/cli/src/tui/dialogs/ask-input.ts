// The input of an ask as rows, in full: made as far as it is looked at, and remembered, so that a huge one costs a frame nothing.
import type { AskRow } from '@roost/protocol/ask';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { inputRows } from '../renderers/tools/input-rows.ts';
import type { Look } from '../screen/look.ts';

export function askInput(ask: AskRow, width: number, look: Look): LazyRows {
	const known = remembered.get(ask);
	if (known && known.width === width && known.look === look) return known.rows;
	const rows = createLazyRows(inputRows({ tool: ask.tool, input: ask.input }, width, look));
	remembered.set(ask, { width, look, rows });
	return rows;
}

const remembered = new WeakMap<AskRow, { width: number; look: Look; rows: LazyRows }>();
