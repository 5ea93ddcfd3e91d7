// The prompts that wait in each session, folded in the transaction that appends their facts: no question has to read the log.
import type { DatabaseSync } from 'node:sqlite';
import { acknowledgePrompt, createPrompts, foldPrompt, type Prompts } from '@roost/core/session/prompts';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { parseLine } from './parse-line.ts';
import { textOf } from './row-values.ts';
import type { PromptQueue } from './store.ts';

/** Facts that say what became of a prompt. */
export type PromptFact = FeedEventOf<'prompt.update'> | FeedEventOf<'user.prompt'>;

export type QueueTable = {
	/** To be called inside the transaction that appends. */
	fold(sessionId: string, facts: readonly PromptFact[], position: number): void;
	/** Those that changed between two places, in that order; one in which nothing waits any more is empty. */
	changed(from: number, to: number): PromptQueue[];
};

export const QUEUE_TABLE = `
	CREATE TABLE queues (session_id TEXT PRIMARY KEY, queue TEXT NOT NULL, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
	CREATE INDEX queues_by_position ON queues (position);
`;

export function createQueueTable(db: DatabaseSync): QueueTable {
	const select = db.prepare('SELECT queue FROM queues WHERE session_id = ?');
	const upsert = db.prepare('INSERT OR REPLACE INTO queues (session_id, queue, position) VALUES (?, ?, ?)');
	const selectChanged = db.prepare('SELECT session_id, queue FROM queues WHERE position > ? AND position <= ? ORDER BY position');

	return {
		fold(sessionId, facts, position) {
			if (facts.length === 0) return;
			const kept = select.get(sessionId);
			const prompts = kept === undefined ? createPrompts() : toPrompts(kept);
			for (const fact of facts) foldFact(prompts, fact);
			upsert.run(sessionId, JSON.stringify(prompts), position);
		},
		changed: (from, to) =>
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

/** From the log, for a file that was written before there was a table. A line that is no event any more is left out: verify names it. */
export function foldQueues(db: DatabaseSync): void {
	const table = createQueueTable(db);
	const lines = db.prepare(`SELECT position, line FROM events WHERE instr(line, '"prompt_id"') > 0 ORDER BY position`);
	for (const row of lines.all()) {
		const stored = parseLine(textOf(row, 'line'));
		if (stored !== undefined) table.fold(stored.sessionId, promptFacts([stored.event]), Number(row.position));
	}
}

/** What is kept of a session's prompts, to be compared with its facts. */
export function readQueue(db: DatabaseSync, sessionId: string): Prompts {
	const kept = db.prepare('SELECT queue FROM queues WHERE session_id = ?').get(sessionId);
	return kept === undefined ? createPrompts() : toPrompts(kept);
}

function toPrompts(row: Parameters<typeof textOf>[0]): Prompts {
	return JSON.parse(textOf(row, 'queue'));
}
