// The line of a call: the tool, and what it is about.

import type { Fields } from '@roost/core/display/tools/fields';
import { subjectOf } from '@roost/core/display/tools/subject';
import { toolName } from '@roost/core/display/tools/tool-name';
import { type Row, row, span } from '../../screen/row.ts';
import type { Context } from '../renderer.ts';

export function callLine(data: { tool_name: string; tool_input: Fields }, { cwd }: Pick<Context, 'cwd'>): Row {
	const subject = subjectOf(data.tool_name, data.tool_input, cwd);
	return row(span(toolName(data.tool_name), 'tool'), ...(subject ? [span(` ${subject}`)] : []));
}
