// The stored record of one session, for readers: its lines, their rows, and its view.
import { hasRow, toFeedRow } from '@roost/core/views/feed-row';
import { toJsonView } from '@roost/core/views/view-json';
import type { FeedPage, FeedRow } from '@roost/protocol/api/feed-rows';
import { AppError } from '@roost/protocol/app-error';
import type { Contract } from '@roost/protocol/contract/contract';
import type { HandlerInput } from '@roost/protocol/contract/operation';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { ApiHandlers, GatewayContext } from '../operations/api.ts';
import type { Backend } from '../operations/backend.ts';
import { type ParsedEntry, type Range, readLines } from './read-lines.ts';
import { createViewReader } from './view-reader.ts';

type FeedDeps = Pick<Backend, 'log' | 'liveView' | 'exportSession'> & { record: Pick<Backend['record'], 'session'> };
type RowsQuery = HandlerInput<Contract['feed']['rows']>;

export function feedHandlers({ log, record, liveView, exportSession }: FeedDeps): ApiHandlers['feed'] {
	const readView = createViewReader({ log, liveView });

	/** The offset of the newest event; an error for an unknown session. */
	async function headOf(id: SessionId, context: GatewayContext): Promise<Result<number>> {
		const head = await log.lastOffset(sessionStream(id));
		if (!head.ok || head.value > 0) return head;
		const known = await record.session({ id }, context);
		return known.ok ? head : known;
	}

	/** As they are stored; an error for an unknown session. */
	async function readPage(
		{ id, after, limit }: { id: SessionId; after: number; limit: number },
		context: GatewayContext,
	): Promise<Result<string[]>> {
		const page = await log.read({ stream: sessionStream(id), after, limit });
		if (!page.ok) return page;
		const known = page.value.length > 0 ? page : await record.session({ id }, context);
		return known.ok ? ok(page.value.map(({ line }) => line)) : known;
	}

	return {
		async events({ around, ...query }, context) {
			const after = around === undefined ? query.after : Math.max(0, around - 1 - Math.floor(query.limit / 2));
			const lines = await readPage({ ...query, after }, context);
			return lines.ok ? ok({ rawJson: `[${lines.value.join(',')}]` }) : lines;
		},
		async lines(query, context) {
			const lines = await readPage(query, context);
			return lines.ok ? ok(lines.value.map((line) => `${line}\n`).join('')) : lines;
		},
		async event({ id, offset }, context) {
			const read = await log.read({ stream: sessionStream(id), after: offset - 1, limit: 1 });
			if (!read.ok) return read;
			const [entry] = read.value;
			if (entry) return ok({ rawJson: entry.line });
			const head = await headOf(id, context);
			if (!head.ok) return head;
			return err(new AppError('not_found', `Event ${offset} not found. The session has ${head.value} events.`));
		},
		async rows(query, context) {
			const head = await headOf(query.id, context);
			return head.ok ? await readRows(log, query, head.value) : head;
		},
		async view({ id }, context) {
			const head = await headOf(id, context);
			if (!head.ok) return head;
			const view = await readView(id, head.value);
			return view.ok ? ok({ offset: view.value.summary.events, view: toJsonView(view.value) }) : view;
		},
		async export({ id }) {
			const parts = await exportSession(id);
			return parts.ok ? ok({ fileName: `roost-${id}.jsonl`, parts: parts.value }) : parts;
		},
	};
}

/** A page with longer lines is shorter, and says so with the offsets that it covers. */
const MOST_BYTES = 16 * 1024 * 1024;

async function readRows(log: Backend['log'], query: RowsQuery, head: number): Promise<Result<FeedPage>> {
	const backwards = query.after === undefined;
	const wanted = rangeOf(query, head);
	const pages: FeedRow[][] = [];
	let covered: Range = backwards
		? { first: wanted.last + 1, last: wanted.last }
		: { first: wanted.first, last: wanted.first - 1 };
	let bytes = 0;
	for await (const chunk of readLines({ log, stream: sessionStream(query.id), range: wanted, backwards })) {
		if (!chunk.ok) return chunk;
		pages.push(toRows(chunk.value, query));
		const count = chunk.value.length;
		covered = backwards ? { ...covered, first: covered.first - count } : { ...covered, last: covered.last + count };
		bytes += chunk.value.reduce((sum, entry) => sum + entry.bytes, 0);
		if (bytes > MOST_BYTES) break;
	}
	return ok({ rows: (backwards ? pages.reverse() : pages).flat(), ...covered, head });
}

/** With both limits it is what lies between them, from the older one on. */
function rangeOf({ before = Number.POSITIVE_INFINITY, after, limit }: RowsQuery, head: number): Range {
	const end = Math.min(head, before - 1);
	if (after === undefined) return { first: Math.max(1, end - limit + 1), last: end };
	return { first: after + 1, last: Math.max(after, Math.min(end, after + limit)) };
}

function toRows(entries: readonly ParsedEntry[], { kind, run }: RowsQuery): FeedRow[] {
	const kinds = kind?.split(',');
	return entries
		.filter(({ line: { event } }) => hasRow(event) && (run === undefined || event.run_id === run))
		.map(({ line, bytes }) => toFeedRow(line, bytes))
		.filter((row) => kinds?.includes(row.kind) ?? true);
}
