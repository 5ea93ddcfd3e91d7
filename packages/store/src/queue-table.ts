// The queued prompts of each session, folded in the transaction of their facts, so that no query has to read the log.
import type { DatabaseSync } from 'node:sqlite';
import { acknowledgePrompt, createPrompts, foldPrompt, type Prompts } from '@roost/core/session/prompts';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { allRows, lineOf, type Row, textOf } from './row-values.ts';
import type { PromptQueue } from './store.ts';

/** Facts about the state of a prompt. */
export type PromptFact = FeedEventOf<'prompt.update'> | FeedEventOf<'user.prompt'>;

export type QueueTable = ReturnType<typeof createQueueTable>;

export const QUEUE_TABLE = `
	CREATE TABLE queues (session_id TEXT PRIMARY KEY, queue TEXT NOT NULL, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
	CREATE INDEX queues_by_position ON queues (position);
`;

export function createQueueTable(db: DatabaseSync) {
	const select = db.prepare('SELECT queue FROM queues WHERE session_id = ?');
	const upsert = db.prepare('INSERT OR REPLACE INTO queues (session_id, queue, position) VALUES (?, ?, ?)');
	const selectChanged = db.prepare('SELECT session_id, queue FROM queues WHERE position > ? AND position <= ? ORDER BY position');

	function read(sessionId: string): Prompts {
		const kept = select.get(sessionId);
		return kept === undefined ? createPrompts() : toPrompts(kept);
	}

	return {
		read,
		/** To be called inside the transaction that appends. */
		fold(sessionId: string, facts: readonly PromptFact[], position: number): void {
			if (facts.length === 0) return;
			const prompts = read(sessionId);
			for (const fact of facts) foldFact(prompts, fact);
			upsert.run(sessionId, JSON.stringify(prompts), position);
		},
		/** Queues that changed between two positions, in that order; also those that became empty. */
		changed: (from: number, to: number): PromptQueue[] =>
			selectChanged.all(from, to).map((row) => ({
				sessionId: textOf(row, 'session_id') as SessionId,
				prompts: toPrompts(row).waiting,
			})),
	};
}

export function promptFacts(events: readonly FeedEvent[]): PromptFact[] {
	return events.filter(isPromptFact).map((event) => structuredClone(event));
}

function isPromptFact(event: FeedEvent): event is PromptFact {
	return event.kind === 'prompt.update' || (event.kind === 'user.prompt' && event.data.prompt_id !== undefined);
}

function foldFact(prompts: Prompts, fact: PromptFact): void {
	if (fact.kind === 'prompt.update') foldPrompt(prompts, fact);
	else acknowledgePrompt(prompts, fact);
}

/** From the log, for a file from before this table. A line that is not an event is left out: verify reports it. */
export function foldQueues(db: DatabaseSync): void {
	const table = createQueueTable(db);
	for (const row of allRows(db, `SELECT position, line FROM events WHERE instr(line, '"prompt_id"') > 0 ORDER BY position`)) {
		const stored = lineOf(row);
		if (stored !== undefined) table.fold(stored.sessionId, promptFacts([stored.event]), Number(row.position));
	}
}

function toPrompts(row: Row): Prompts {
	return JSON.parse(textOf(row, 'queue'));
}
