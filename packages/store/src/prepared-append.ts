// An append request, validated and serialised once, before its commit.
import { isTransient } from '@roost/core/feed/filter';
import type { UsageOfDay } from '@roost/core/usage/usage-days';
import { AppError } from '@roost/protocol/app-error';
import { type AskRow, askRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RuleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, rule } from '@roost/protocol/rule';
import { STORED_LINE_VERSION } from '@roost/protocol/stored-line';
import { toLocalDay } from './local-day.ts';
import { type PromptFact, promptFacts } from './queue-table.ts';
import { duplicateEvent } from './refusals.ts';
import type { AppendRequest } from './store.ts';

export type PreparedAppend = {
	request: AppendRequest;
	events: PreparedEvent[];
	frame: LineFrame;
	asks: PreparedRow<AskRow>[];
	rules: { add: PreparedRow<Rule>[]; remove: RuleId[] };
	usage: UsageOfDay[];
	prompts: PromptFact[];
};

/** The text has its keys in the order of the schema, so that equal rows have equal texts. */
export type PreparedRow<Row> = { row: Row; text: string };

type PreparedEvent = { id: string; ts: number; text: string };

/** The parts of a line that are the same for all events of a request, as JSON. */
type LineFrame = { stream: string; owners: string; receipt: string };

export function prepareAppend(request: AppendRequest): Result<PreparedAppend> {
	const fault = faultOf(request);
	if (fault !== undefined) return err(fault);
	try {
		const events = request.events.map((event) => ({ id: event.event_id, ts: event.ts, text: JSON.stringify(event) }));
		const asks = (request.asks ?? []).map((row) => prepareRow(row, askRow));
		const add = (request.rules?.add ?? []).map((row) => prepareRow(row, rule));
		const rules = { add, remove: [...(request.rules?.remove ?? [])] };
		const derived = { usage: usageReports(request.events), prompts: promptFacts(request.events) };
		return ok({ request, events, frame: frameOf(request), asks, rules, ...derived });
	} catch (cause) {
		const problem = 'An event, ask or rule would not come back from JSON as it is; send plain and complete values only.';
		return err(new AppError('bad_request', problem, { cause }));
	}
}

/** The usage that the events report; a copy, because the caller keeps the events. */
export function usageReports(events: readonly FeedEvent[]): UsageOfDay[] {
	return events.flatMap((event) =>
		event.kind === 'usage.update' ? [{ day: toLocalDay(event.ts), byModel: structuredClone(event.data.by_model) }] : [],
	);
}

/** The exact text that is stored, hashed and served. */
export function toLine(prepared: PreparedAppend, event: PreparedEvent, seqNo: number, offset: number): string {
	const { owners, receipt } = prepared.frame;
	return `${linePlace(prepared.frame.stream, seqNo, offset)}${owners},"ts":${event.ts}${receipt},"event":${event.text}}`;
}

/** The start of a line: its place in the log. */
export function linePlace(streamJson: string, seqNo: number, offset: number): string {
	return `{"seqNo":${seqNo},"stream":${streamJson},"offset":${offset}`;
}

/** Round-trips the row, so that one that could not be read again is refused. */
function prepareRow<Row>(row: Row, schema: { parse(value: unknown): Row }): PreparedRow<Row> {
	const kept = schema.parse(JSON.parse(JSON.stringify(row)));
	return { row: kept, text: JSON.stringify(kept) };
}

function frameOf(request: AppendRequest): LineFrame {
	const { stream, sessionId, runnerId, projectId, receivedAt } = request;
	const owners = JSON.stringify({ sessionId, runnerId, projectId });
	return {
		stream: JSON.stringify(stream),
		owners: `,${owners.slice(1, -1)}`,
		receipt: `,"receivedAt":${receivedAt},"v":${STORED_LINE_VERSION}`,
	};
}

function faultOf(request: AppendRequest): AppError | undefined {
	if (!Number.isFinite(request.receivedAt)) return badRequest('receivedAt', 'a number');
	for (const name of ['stream', 'sessionId', 'runnerId', 'projectId'] as const) {
		if (!isStorableId(request[name])) return badRequest(name, 'a text of whole characters that is not empty');
	}
	for (const event of request.events) {
		if (!isStorableId(event.event_id)) return badRequest('event_id', 'a text of whole characters that is not empty');
		if (!Number.isFinite(event.ts)) return badRequest('ts', 'a number');
		if (isTransient(event)) return badRequest('kind', `one that is stored, and ${event.kind} is only broadcast`);
	}
	for (const id of rowIds(request)) {
		if (!isStorableId(id)) return badRequest('the id of an ask or rule', 'a text of whole characters that is not empty');
	}
	const repeated = firstRepeated(request.events.map((event) => event.event_id));
	return repeated === undefined ? undefined : duplicateEvent(repeated);
}

function rowIds({ asks = [], rules = {} }: AppendRequest): string[] {
	const { add = [], remove = [] } = rules;
	return [...asks.flatMap(({ id, sessionId }) => [id, sessionId]), ...add.map(({ id }) => id), ...remove];
}

function firstRepeated(ids: readonly string[]): string | undefined {
	if (ids.length < 2 || new Set(ids).size === ids.length) return undefined;
	return ids.find((id, at) => ids.indexOf(id) < at);
}

/** The database would return half a surrogate pair as another text. */
function isStorableId(id: string): boolean {
	return id.length > 0 && id.isWellFormed();
}

function badRequest(name: string, allowed: string): AppError {
	return new AppError('bad_request', `The append was refused because ${name} must be ${allowed}.`);
}
