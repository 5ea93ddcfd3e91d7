// The session in one paragraph: what it is called, where and how it works, how much it did.
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import { sanitiseLine } from '../display/sanitise.ts';
import { ROOT_AGENT } from '../feed/entities.ts';

const TITLE_LENGTH = 80;

export type SessionSummary = {
	/** The first line of the first prompt; empty before it. */
	title: string;
	model?: string;
	cwd?: string;
	permissionMode?: string;
	firstTs?: number;
	lastTs?: number;
	endedAt?: number;
	/** Stored events; transient ones are not counted. */
	events: number;
	toolCalls: number;
	toolFailures: number;
};

export function createSummary(): SessionSummary {
	return { title: '', events: 0, toolCalls: 0, toolFailures: 0 };
}

export function noteEvent(summary: SessionSummary, event: FeedEvent): void {
	summary.events += 1;
	summary.firstTs = Math.min(summary.firstTs ?? event.ts, event.ts);
	summary.lastTs = Math.max(summary.lastTs ?? event.ts, event.ts);
}

export function noteSessionStart(summary: SessionSummary, event: FeedEventOf<'session.start'>): void {
	delete summary.endedAt;
	noteModel(summary, event.data.model);
}

export function noteSessionEnd(summary: SessionSummary, event: FeedEventOf<'session.end'>): void {
	summary.endedAt = event.ts;
}

export function notePrompt(summary: SessionSummary, event: FeedEventOf<'user.prompt'>): void {
	if (summary.title === '') summary.title = toTitle(event.data.prompt);
	if (event.data.cwd !== '') summary.cwd = event.data.cwd;
	if (event.data.permission_mode !== undefined) summary.permissionMode = event.data.permission_mode;
}

export function noteMessage(summary: SessionSummary, event: FeedEventOf<'agent.message'>): void {
	// A subagent may run on another model; the session's is the root agent's.
	if (event.actor_id === ROOT_AGENT) noteModel(summary, event.data.model);
}

export function noteModel(summary: SessionSummary, model: string | undefined): void {
	if (model !== undefined && model !== '') summary.model = model;
}

/** The first line with words in it, cut between characters and safe to show. */
function toTitle(prompt: string): string {
	const line = /\S[^\r\n]*/u.exec(prompt)?.[0].trimEnd() ?? '';
	// A character takes two code units at most, so this is more than a title, and never a huge line.
	const characters = [...line.slice(0, TITLE_LENGTH * 2 + 2)];
	const cut = characters.length > TITLE_LENGTH;
	return sanitiseLine(cut ? `${characters.slice(0, TITLE_LENGTH - 1).join('')}…` : line);
}
