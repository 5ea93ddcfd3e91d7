// Reports of usage for tests: what a session says that it has used so far.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { SessionRow } from '@roost/protocol/session-row';
import type { AppendRequest } from '@roost/store/store';
import { sampleAppend, sampleEvent, sampleSession } from './sample-append.ts';

export function sampleUsage(
	session: string,
	seq: number,
	at: Date,
	by_model: Record<string, TokenUsage>,
	place: Partial<SessionRow> = {},
): AppendRequest {
	const content = { kind: 'usage.update', title: 'Usage', data: { total: tokens(0, 0), by_model } } as const;
	const event = { ...sampleEvent(session, seq, content), ts: at.getTime() };
	const row = sampleSession(session, place);
	return sampleAppend(session, [event], { projectId: row.projectId, session: row });
}

export function tokens(input: number, output: number, read = 0, write = 0): TokenUsage {
	return { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_write_tokens: write };
}
