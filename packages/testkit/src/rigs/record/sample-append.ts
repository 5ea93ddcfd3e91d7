// Small, valid requests and events for the tests of a store, its golden databases and the benches.
import type { AskRow } from '@roost/protocol/ask';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { actorId, askId, eventId, ruleId, runId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { toProjectId } from '@roost/store/project-id';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { AppendRequest } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';

const START = 1_700_000_000_000;
export const SAMPLE_PROJECT = toProjectId('runner-1', '/project');

/** A prompt by default; `over` replaces the kind and its data. */
export function sampleEvent(session: string, seq: number, over?: EventContent): FeedEvent {
	const content = over ?? { kind: 'user.prompt', data: { prompt: `do thing ${seq}`, cwd: '/project' } };
	return {
		event_id: eventId.parse(`${session}:R1:E${seq}`),
		seq,
		ts: START + seq,
		session_id: sessionId.parse(session),
		run_id: runId.parse(`${session}:R1`),
		level: 'info',
		actor_id: actorId.parse('agent:root'),
		...content,
	};
}

export type EventContent = FeedEvent extends infer Event
	? Event extends FeedEvent
		? Pick<Event, 'kind' | 'data'>
		: never
	: never;

/** A session that is a stream of its own, on one runner and in one project. */
export function sampleAppend(session: string, events: readonly FeedEvent[], over: Partial<AppendRequest> = {}): AppendRequest {
	return {
		stream: streamId.parse(session),
		sessionId: sessionId.parse(session),
		projectId: SAMPLE_PROJECT,
		runnerId: runnerId.parse('runner-1'),
		receivedAt: START + 500,
		events,
		...over,
	};
}

export function sampleSession(id: string, over: Partial<SessionRow> = {}): SessionRow {
	return {
		id: sessionId.parse(id),
		agent: 'claude',
		status: 'working',
		projectId: SAMPLE_PROJECT,
		projectPath: '/project',
		nativeIds: [{ id: `native-${id}`, reason: 'startup', since: START }],
		title: `session ${id}`,
		startedAt: START,
		lastEventAt: START,
		events: 0,
		...over,
	};
}

/** A command with a pending request. */
export function sampleAsk(id: string, over: Partial<AskRow> = {}): AskRow {
	return {
		id: askId.parse(id),
		sessionId: sessionId.parse('a'),
		kind: 'permission',
		tool: 'Bash',
		input: { command: 'hammer --nails 12' },
		state: 'pending',
		risk: 'medium',
		actorId: actorId.parse('agent:root'),
		eventId: eventId.parse('a:R1:E1'),
		reason: 'no rule matched',
		openedAt: START,
		expiresAt: START + 60_000,
		nonce: `nonce-${id}`,
		inputHash: `hash-${id}`,
		...over,
	};
}

export function sampleRule(id: string, over: Partial<Rule> = {}): Rule {
	return {
		id: ruleId.parse(id),
		tool: 'Bash',
		argsPattern: 'hammer *',
		decision: 'allow',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'owner@cli',
		createdAt: START,
		...over,
	};
}

export function sampleUsage(
	session: string,
	seq: number,
	at: Date,
	by_model: Record<string, TokenUsage>,
	place: Partial<SessionRow> = {},
): AppendRequest {
	const content = { kind: 'usage.update', data: { total: tokens(0, 0), by_model } } as const;
	const event = { ...sampleEvent(session, seq, content), ts: at.getTime() };
	const row = sampleSession(session, place);
	return sampleAppend(session, [event], { projectId: row.projectId, session: row });
}

export function tokens(input: number, output: number, read = 0, write = 0): TokenUsage {
	return { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_write_tokens: write };
}

export async function writeRecord(path: string, requests: readonly AppendRequest[]): Promise<void> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	for (const request of requests) unwrap(await store.append(request));
}
