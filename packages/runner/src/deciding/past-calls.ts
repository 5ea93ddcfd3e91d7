// The newest recorded tool calls and their outcomes, read backwards in slices.
import { setImmediate } from 'node:timers/promises';
import type { PastOutcome } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedData, FeedEvent } from '@roost/protocol/feed/event';
import type { ProjectId, RunnerId, SessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import { currentProjectId } from '@roost/store/project-id';
import type { Store } from '@roost/store/store';

/** The input is redacted: a pattern for a secret finds nothing. */
export type PastCall = {
	sessionId: SessionId;
	projectId: ProjectId;
	seqNo: number;
	offset: number;
	ts: number;
	tool: string;
	input: ToolInput;
	asked: boolean;
	became: PastOutcome;
};

type PastCalls = { calls: PastCall[]; since: number | null; complete: boolean };

/** Newest first. */
export async function readPastCalls(query: {
	store: Store;
	runnerId: RunnerId;
	isWanted: (of: { sessionId: SessionId; projectId: ProjectId }) => boolean;
	limit: number;
	maxEvents: number;
}): Promise<Result<PastCalls>> {
	const { store, runnerId, isWanted, limit, maxEvents } = query;
	const state = store.outbox.state(runnerId);
	if (!state.ok) return state;
	const { lastSeqNo } = state.value;
	const end = Math.max(0, lastSeqNo - maxEvents);
	const found = createFound();
	let oldest: LogEntry | undefined;
	let to = lastSeqNo;
	while (to > end && found.count() < limit) {
		const from = Math.max(end, to - SLICE);
		const slice = readSlice(store, from, to);
		if (!slice.ok) return slice;
		for (const entry of slice.value.toReversed()) {
			const line = parseWanted(entry);
			if (!line.ok) return line;
			if (line.value !== undefined && isWanted(line.value)) found.add(line.value);
		}
		oldest = slice.value[0] ?? oldest;
		to = from;
		// Yields to the event loop.
		await setImmediate();
	}
	const calls = found.calls();
	const kept = calls.slice(0, limit);
	if (kept.length < calls.length || (to > 0 && kept.length === limit)) {
		return ok({ calls: kept, since: kept.at(-1)?.ts ?? null, complete: false });
	}
	return ok({ calls: kept, since: oldest === undefined ? null : timeOf(oldest), complete: to === 0 });
}

const SLICE = 200;

/** Runners that share a record share seqNos, so a slice may take more than one page. */
function readSlice(store: Store, from: number, to: number): Result<LogEntry[]> {
	const entries: LogEntry[] = [];
	for (let after = from; after < to; ) {
		const page = store.read({ afterSeqNo: after, limit: to - after });
		if (!page.ok) return page;
		entries.push(...page.value.filter(({ seqNo }) => seqNo <= to));
		after = page.value.at(-1)?.seqNo ?? to;
	}
	return ok(entries);
}

const KINDS = [
	'tool.pre',
	'permission.request',
	'permission.decision',
	'permission.denied',
	'question.request',
	'question.answer',
];
const MARKS = KINDS.map((kind) => `"kind":"${kind}"`);

/** Undefined for events that are not about a call; most lines are skipped without parsing. */
function parseWanted(entry: LogEntry): Result<StoredLine | undefined> {
	if (!MARKS.some((mark) => entry.line.includes(mark))) return ok(undefined);
	const parsed = storedLine.safeParse(JSON.parse(entry.line));
	if (parsed.success) {
		const { projectId, runnerId } = parsed.data;
		return ok({ ...parsed.data, projectId: currentProjectId(projectId, runnerId) });
	}
	const problem = `Event ${entry.offset} of session ${entry.stream} cannot be read. Run "roost verify ${entry.stream}".`;
	return err(new AppError('corrupt', problem));
}

function timeOf({ line }: LogEntry): number {
	return storedLine.pick({ ts: true }).parse(JSON.parse(line)).ts;
}

/** Newest first: a decision comes before its request, and a request before its call. */
function createFound() {
	const calls: PastCall[] = [];
	const outcomes = new Map<string, PastOutcome>();
	/** By the event ID of the call. */
	const requests = new Map<string, PastCall | undefined>();

	/** The last decision counts, which comes first here. */
	function settle(parent: string | undefined, outcome: PastOutcome): void {
		if (parent !== undefined && !outcomes.has(parent)) outcomes.set(parent, outcome);
	}

	function addRequest(line: StoredLine, wanted?: Wanted): void {
		const { event_id, cause } = line.event;
		const became = outcomes.get(event_id) ?? { outcome: 'open' };
		const call = wanted && toCall(line, wanted, { asked: true, became });
		settle(cause?.parent_event_id, became);
		if (cause?.parent_event_id !== undefined) requests.set(cause.parent_event_id, call);
		else if (call !== undefined) calls.push(call);
	}

	function addCall(line: StoredLine, wanted: Wanted): void {
		const id = line.event.event_id;
		calls.push(toCall(line, wanted, { asked: requests.has(id), became: outcomes.get(id) ?? { outcome: 'unasked' } }));
		requests.delete(id);
	}

	return {
		add(line: StoredLine): void {
			const { event } = line;
			const outcome = outcomeOf(event);
			if (outcome !== undefined) settle(event.cause?.parent_event_id, outcome);
			else if (event.kind === 'permission.request') addRequest(line, event.data);
			else if (event.kind === 'question.request') addRequest(line);
			else if (event.kind === 'tool.pre') addCall(line, event.data);
		},
		count: () => calls.length,
		/** Including requests whose call was not read. */
		calls: () => [...calls, ...requests.values().filter((call) => call !== undefined)].sort((a, b) => b.seqNo - a.seqNo),
	};
}

type Wanted = { tool_name: string; tool_input: ToolInput };

function toCall(line: StoredLine, wanted: Wanted, rest: Pick<PastCall, 'asked' | 'became'>): PastCall {
	const { sessionId, projectId, seqNo, offset, ts } = line;
	return { sessionId, projectId, seqNo, offset, ts, tool: wanted.tool_name, input: wanted.tool_input, ...rest };
}

function outcomeOf(event: FeedEvent): PastOutcome | undefined {
	if (event.kind === 'permission.denied') return { outcome: 'denied', by: 'agent' };
	if (event.kind === 'question.answer') return { outcome: 'answered', by: originOf(event.data) };
	if (event.kind !== 'permission.decision') return undefined;
	const isReported = event.data.decided_by === 'terminal' && event.data.decision_type === 'allow';
	return { outcome: isReported ? 'no_opinion' : DECIDED[event.data.decision_type], by: originOf(event.data) };
}

const DECIDED = { allow: 'allowed', deny: 'denied', ask: 'no_opinion', no_opinion: 'no_opinion' } as const;

function originOf({ principal, rule_id, rule_ids, decided_by }: FeedData<'permission.decision' | 'question.answer'>): string {
	if (rule_ids !== undefined) return `rules ${rule_ids.join(', ')}`;
	return principal ?? (rule_id === undefined ? decided_by : `rule ${rule_id}`);
}
