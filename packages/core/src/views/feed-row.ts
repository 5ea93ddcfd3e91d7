// The row of an event: what a list shows of it. The gateway makes rows of stored lines, and faces make them of live ones.
import { type FeedRow, LONGEST_ROW_TEXT } from '@roost/protocol/api/feed-rows';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { StoredLine } from '@roost/protocol/stored-line';
import { cutText } from '../display/cut.ts';
import { editOf } from '../display/tools/edits.ts';
import { shouldExclude } from '../feed/filter.ts';
import { rowTitle } from './row-title.ts';

/** Whether lists show it, alone or joined to its call. */
export function hasRow(event: FeedEvent): boolean {
	return event.kind === 'tool.post' || (event.kind !== 'usage.update' && !shouldExclude(event));
}

/** `size`: bytes of the line as it is stored. */
export function toFeedRow({ offset, event }: Pick<StoredLine, 'offset' | 'event'>, size: number): FeedRow {
	const { event_id, kind, ts, run_id, actor_id, level, cause } = event;
	const row: FeedRow = { offset, event_id, kind, ts, run_id, actor_id, level, title: rowTitle(event), size };
	if (cause?.parent_event_id !== undefined) row.parent = cause.parent_event_id;
	return Object.assign(row, detailsOf(event));
}

type Details = Omit<Partial<FeedRow>, 'offset' | 'event_id' | 'kind'>;

/** Absent fields are left out, so that rows over the wire and rows of live lines are equal. */
function detailsOf(event: FeedEvent): Details {
	switch (event.kind) {
		case 'user.prompt':
			return { ...textOf(event.data.prompt), ...given({ review: event.data.review }) };
		case 'agent.message':
			return { ...textOf(event.data.text), ...given({ announces: event.data.announces, native_id: event.data.native_id }) };
		case 'tool.pre':
			return { tool: event.data.tool_name, ...changeOf(event.data) };
		case 'tool.post':
		case 'tool.failure':
			return resultOf(event);
		case 'permission.request':
			return { tool: event.data.tool_name, risk: event.data.risk, ...given({ ask_id: event.data.ask_id }) };
		case 'permission.denied':
			return { tool: event.data.tool_name };
		case 'question.request':
			return given({ ask_id: event.data.ask_id });
		case 'permission.decision':
		case 'stop.decision':
		case 'question.answer':
			return { decision: decisionOf(event) };
		default:
			return {};
	}
}

function textOf(text: string): Details {
	const shown = cutText(text, LONGEST_ROW_TEXT);
	return shown === text ? { text } : { text: shown, isCut: true };
}

function resultOf({ kind, data }: FeedEventOf<'tool.post' | 'tool.failure'>): Details {
	const { tool_name: tool, duration_ms } = data;
	if (kind === 'tool.post') return { tool, ...given({ duration_ms }), ...changeOf(data, data.tool_response) };
	return { tool, ...given({ duration_ms, is_interrupt: data.is_interrupt }) };
}

function changeOf({ tool_name, tool_input }: { tool_name: string; tool_input: ToolInput }, response?: unknown): Details {
	const edit = editOf(tool_name, tool_input, response);
	if (!edit) return {};
	const count = (sign: '+' | '-') => edit.hunks.reduce((sum, hunk) => sum + hunk.filter((line) => line.sign === sign).length, 0);
	return { change: { added: count('+'), removed: count('-') } };
}

type Decided = FeedEventOf<'permission.decision' | 'stop.decision' | 'question.answer'>;

function decisionOf({ kind, data }: Decided): NonNullable<FeedRow['decision']> {
	const type = kind === 'question.answer' ? 'answer' : data.decision_type;
	const said = 'message' in data ? data.message : data.reason;
	const reason = said && cutText(said, LONGEST_ROW_TEXT);
	return { type, by: data.decided_by, ...given({ rule_id: data.rule_id, principal: data.principal, reason }) };
}

function given<T extends object>(fields: T): Partial<T>;
function given(fields: object): object {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
