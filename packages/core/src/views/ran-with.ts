// The input a call ran with, where it was edited before it was allowed.
import type { Fields } from '../display/tools/fields.ts';
import type { ToolResult } from './feed-list.ts';

/** Fields that an agent adds to its own call, such as the answers to a question, do not count as edits. */
export function ranWith(asked: Fields, result: ToolResult | undefined): Fields | undefined {
	if (!result) return undefined;
	const ran: Fields = result.data.tool_input;
	const changed = Object.entries(asked).some(([key, value]) => JSON.stringify(ran[key]) !== JSON.stringify(value));
	return changed ? ran : undefined;
}
