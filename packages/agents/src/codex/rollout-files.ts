// Conversation files of Codex: found by id, searched for prompts, and read for usage.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { addUsage, mergeUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { err, ok } from '@roost/protocol/result';
import { z } from 'zod';
import { transcriptLines } from '../base/transcript-files.ts';
import { toReasoning, toTranscriptSummary } from '../base/transcripts.ts';
import type { TranscriptSummary } from '../base/types.ts';
import type { NativeUsage } from './live/protocol.ts';

export function codexHome(env: Readonly<Record<string, string | undefined>>): string {
	return env.CODEX_HOME || join(env.HOME || homedir(), '.codex');
}

const FOLDERS = ['sessions', 'archived_sessions'];

export async function findRollout(home: string, threadId: string): Promise<string | null> {
	for (const folder of FOLDERS) {
		const found = await findBelow(join(home, folder), `-${threadId}.jsonl`);
		if (found !== null) return found;
	}
	return null;
}

/** In folders by year, month and day. */
async function findBelow(folder: string, ending: string): Promise<string | null> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
		if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
		throw error;
	});
	const found = entries.find((entry) => entry.isFile() && entry.name.startsWith('rollout-') && entry.name.endsWith(ending));
	return found ? join(found.parentPath, found.name) : null;
}

/** False without a file. */
export function createHasPrompt(env: Readonly<Record<string, string>>): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, prompt }) => {
		// As JSON, so that prompt text, in which quotes are escaped, cannot match.
		const mark = `"client_id":${JSON.stringify(prompt)}`;
		try {
			const path = await findRollout(codexHome(env), nativeId);
			if (path === null) return ok(false);
			for await (const line of transcriptLines(path)) if (line.type === 'line' && line.text.includes(mark)) return ok(true);
			return ok(false);
		} catch (cause) {
			return err(
				cause instanceof AppError ? cause : new AppError('internal', 'The conversations of Codex cannot be read.', { cause }),
			);
		}
	};
}

const tokens = z
	.object({
		input_tokens: z.number(),
		cached_input_tokens: z.number().default(0),
		cache_write_input_tokens: z.number().default(0),
		output_tokens: z.number(),
		reasoning_output_tokens: z.number().optional(),
	})
	.transform((used) =>
		toUsage({
			inputTokens: used.input_tokens,
			cachedInputTokens: used.cached_input_tokens,
			cacheWriteInputTokens: used.cache_write_input_tokens,
			outputTokens: used.output_tokens,
			reasoningOutputTokens: used.reasoning_output_tokens,
		}),
	);

const meta = z.object({ type: z.literal('session_meta'), payload: z.object({ id: z.string() }) });
const context = z.object({ type: z.literal('turn_context'), payload: z.object({ model: z.string() }) });
const record = z.object({ type: z.literal('token_usage_record'), payload: z.object({ usage: tokens }) });
const count = z.object({
	type: z.literal('event_msg'),
	payload: z.object({ type: z.literal('token_count'), info: z.object({ last_token_usage: tokens }).nullable() }),
});
const known = z.union([meta, context, record, count]);

/** Other lines are skipped without parsing. */
const TELLING = /"(?:session_meta|turn_context|token_usage_record|token_count)"/;

/** Null for other or unreadable files. Invalid lines are skipped. */
export async function parseRollout(path: string): Promise<TranscriptSummary | null> {
	const tally = createTally();
	try {
		for await (const line of transcriptLines(path)) if (line.type === 'line' && TELLING.test(line.text)) tally.take(line.text);
	} catch (cause) {
		if (cause instanceof AppError) return null;
		throw cause;
	}
	return tally.summary();
}

/** Newer files have a record for each call; older ones repeat the last call beside the total. */
function createTally() {
	const records = new Map<string, TokenUsage>();
	const counts = new Map<string, TokenUsage>();
	let model = '';
	let isRollout = false;

	const add = (to: Map<string, TokenUsage>, used: TokenUsage) => {
		to.set(model, addUsage(to.get(model) ?? zeroUsage(), used));
	};

	return {
		take(text: string): void {
			const parsed = known.safeParse(parseJson(text));
			if (!parsed.success) return;
			const { data } = parsed;
			if (data.type === 'session_meta') isRollout = true;
			else if (data.type === 'turn_context') model = data.payload.model;
			else if (data.type === 'token_usage_record') add(records, data.payload.usage);
			else if (data.payload.info) add(counts, data.payload.info.last_token_usage);
		},
		summary(): TranscriptSummary | null {
			if (!isRollout) return null;
			const usage: UsageByModel = Object.fromEntries(records.size > 0 ? records : counts);
			return toTranscriptSummary(model, usage);
		},
	};
}

/** A forked or resumed thread starts with a foreign total: of the first report only the last call counts. */
export function createUsageTracker() {
	const byModel = new Map<string, TokenUsage>();
	const sums = new Map<string, TokenUsage>();

	return {
		/** Usage of the session before this process. */
		startFrom(before: UsageByModel): void {
			for (const [model, usage] of Object.entries(before)) byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), usage));
		},
		/** The initial total of a thread. */
		begin(threadId: string, total: NativeUsage): void {
			sums.set(threadId, toUsage(total));
		},
		/** The increase since the last total counts for that model. */
		add(threadId: string, model: string, { total, last }: { total: NativeUsage; last: NativeUsage }): UsageByModel {
			const sum = toUsage(total);
			const before = sums.get(threadId);
			const more = before === undefined ? toUsage(last) : difference(sum, before);
			sums.set(threadId, sum);
			byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), more));
			return Object.fromEntries([...byModel].map(([name, usage]) => [name, { ...usage }]));
		},
	};
}

/** Codex includes cached tokens in the input; here each token is in one field. */
function toUsage(native: NativeUsage): TokenUsage {
	const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens, reasoningOutputTokens } = native;
	return {
		input_tokens: Math.max(inputTokens - cachedInputTokens - cacheWriteInputTokens, 0),
		output_tokens: outputTokens,
		cache_read_tokens: cachedInputTokens,
		cache_write_tokens: cacheWriteInputTokens,
		...toReasoning(reasoningOutputTokens),
	};
}

/** Not negative: a compacted thread may restart its count. */
function difference(sum: TokenUsage, before: TokenUsage): TokenUsage {
	return mergeUsage((now, then) => Math.max(now - then, 0), sum, before);
}
