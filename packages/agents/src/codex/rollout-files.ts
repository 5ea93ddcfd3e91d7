// Conversation files of Codex: found by id, searched for prompts, and read for usage.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { addUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { err, ok } from '@roost/protocol/result';
import { z } from 'zod';
import { transcriptLines } from '../base/transcript-files.ts';
import type { TranscriptSummary } from '../base/types.ts';
import { toReasoning, toTranscriptSummary } from '../base/usage.ts';

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

const tokens = z.object({
	input_tokens: z.number(),
	cached_input_tokens: z.number().default(0),
	cache_write_input_tokens: z.number().default(0),
	output_tokens: z.number(),
	reasoning_output_tokens: z.number().optional(),
});

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

	const add = (to: Map<string, TokenUsage>, used: z.infer<typeof tokens>) => {
		to.set(model, addUsage(to.get(model) ?? zeroUsage(), toUsage(used)));
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

function toUsage(used: z.infer<typeof tokens>): TokenUsage {
	return {
		input_tokens: Math.max(used.input_tokens - used.cached_input_tokens - used.cache_write_input_tokens, 0),
		output_tokens: used.output_tokens,
		cache_read_tokens: used.cached_input_tokens,
		cache_write_tokens: used.cache_write_input_tokens,
		...toReasoning(used.reasoning_output_tokens),
	};
}
