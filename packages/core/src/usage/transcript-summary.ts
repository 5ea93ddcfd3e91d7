// What an agent's own transcript says of a session, in Roost's terms whatever the agent.
import type { UsageByModel } from './tally.ts';

export type TranscriptSummary = {
	lastAssistantText?: string;
	lastAssistantAt?: number;
	/** Prompts and answers of the main conversation; one message of the model counts once. */
	messages: number;
	toolCalls: number;
	/** Why the last answer failed; absent when one succeeded after it. */
	error?: string;
	/** Of the main conversation and all subagents. */
	usage: UsageByModel;
	/** Lines that could not be read; they are skipped. */
	malformedLines: number;
	/** Transcripts of subagents that could not be read: the usage is then a lower bound. */
	unreadFiles: number;
};
