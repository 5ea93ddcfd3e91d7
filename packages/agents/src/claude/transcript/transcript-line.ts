// One line of Claude's transcript: what Roost counts, lists and shows of it.
import { parseJson } from '@roost/core/display/parse-json';
import { toolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';

export type TranscriptLine = NonNullable<ReturnType<typeof parseTranscriptLine>>;
export type Answer = Extract<TranscriptLine, { type: 'answer' }>;
export type ToolResult = ReturnType<typeof toResult>;

/** Null for what is not a transcript line. */
export function parseTranscriptLine(line: string) {
	const parsed = anyLine.safeParse(parseJson(line));
	if (!parsed.success) return null;
	const { timestamp, cwd, permissionMode, isSidechain, agentId } = parsed.data;
	return {
		at: toTime(timestamp),
		cwd,
		permissionMode,
		sidechain: isSidechain === true,
		agentId,
		...toContent(parsed.data),
	};
}

const blocks = z.array(z.looseObject({ type: z.string() }));
const text = z.string().optional().catch(undefined);
const tokens = z.number().int().nonnegative();

const anyLine = z.looseObject({
	type: z.string(),
	timestamp: z.unknown().optional(),
	cwd: text,
	permissionMode: text,
	agentId: text,
	isSidechain: z.unknown().optional(),
});

/** A title by the user or by Claude, or the mark of a compaction. */
const otherLine = z.union([
	z
		.object({ type: z.literal('custom-title'), customTitle: z.string() })
		.transform(({ customTitle: title }) => ({ type: 'title' as const, by: 'user' as const, title })),
	z.object({ type: z.literal('ai-title'), aiTitle: z.string() }).transform(({ aiTitle }) => agentTitle(aiTitle)),
	z.object({ type: z.literal('summary'), summary: z.string() }).transform(({ summary }) => agentTitle(summary)),
	z
		.object({
			type: z.literal('system'),
			subtype: z.literal('compact_boundary'),
			compactMetadata: z.object({ trigger: z.enum(['manual', 'auto']) }).optional(),
		})
		.transform((line) => ({ type: 'compacted' as const, trigger: line.compactMetadata?.trigger ?? ('auto' as const) })),
]);

function agentTitle(title: string) {
	return { type: 'title' as const, by: 'agent' as const, title };
}

const userLine = z.object({
	uuid: z.string().optional(),
	isMeta: z.boolean().optional(),
	isCompactSummary: z.boolean().optional(),
	toolUseResult: z.unknown().optional(),
	message: z.object({ content: z.union([z.string(), blocks]) }),
});

/** `output_tokens_details` of a message's usage; absent for models that do not think. */
export const thinkingTokens = z
	.object({ thinking_tokens: z.number().int().positive() })
	.transform(({ thinking_tokens }): { reasoning_tokens?: number } => ({ reasoning_tokens: thinking_tokens }))
	.optional()
	.catch(undefined);

const usage = z
	.object({
		input_tokens: tokens,
		output_tokens: tokens,
		cache_read_input_tokens: tokens.nullish(),
		cache_creation_input_tokens: tokens.nullish(),
		output_tokens_details: thinkingTokens,
	})
	.transform((used) => ({
		input_tokens: used.input_tokens,
		output_tokens: used.output_tokens,
		cache_read_tokens: used.cache_read_input_tokens ?? 0,
		cache_write_tokens: used.cache_creation_input_tokens ?? 0,
		...used.output_tokens_details,
	}));

const assistantLine = z.object({
	isApiErrorMessage: z.boolean().optional(),
	message: z.object({
		id: z.string().min(1).optional(),
		model: z.string().optional(),
		content: blocks,
		stop_reason: z.string().nullish(),
		usage: z.unknown().optional(),
	}),
});

const resultBlock = z.object({
	type: z.literal('tool_result'),
	tool_use_id: z.string(),
	is_error: z.boolean().nullish(),
	content: z.union([z.string(), blocks]).nullish(),
});
const callBlock = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: toolInput });
const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const spawned = z.object({ agentId: z.string().min(1) });

const OTHER = { type: 'other' as const };

function toContent(line: z.infer<typeof anyLine>) {
	if (line.type === 'user') return toUser(line);
	return line.type === 'assistant' ? toAnswer(line) : (otherLine.safeParse(line).data ?? OTHER);
}

/** Tool results and Claude's own notes are user lines too, but not prompts. */
function toUser(line: unknown) {
	const user = userLine.safeParse(line).data;
	if (user === undefined) return OTHER;
	const { content } = user.message;
	const results = typeof content === 'string' ? [] : content.flatMap((block) => resultBlock.safeParse(block).data ?? []);
	if (results.length > 0)
		return { type: 'results' as const, results: results.map((result) => toResult(result, user.toolUseResult)) };
	const isResult = typeof content !== 'string' && content.some((block) => block.type === 'tool_result');
	if (isResult || user.isMeta === true || user.isCompactSummary === true) return OTHER;
	const message = typeof content === 'string' ? content : textOf(content);
	return isInterruption(message) ? { type: 'interrupted' as const } : { type: 'prompt' as const, id: user.uuid, text: message };
}

/** The line's own result is what hooks report; the block contains what the model was given. */
function toResult({ tool_use_id, is_error, content }: z.infer<typeof resultBlock>, own: unknown) {
	return {
		toolUseId: tool_use_id,
		failed: is_error === true,
		text: typeof content === 'string' ? content : textOf(content ?? []),
		response: own ?? content ?? null,
		agentId: spawned.safeParse(own).data?.agentId,
	};
}

const SYNTHETIC_MODEL = '<synthetic>';

function toAnswer(line: unknown) {
	const answer = assistantLine.safeParse(line).data;
	if (answer === undefined) return OTHER;
	const { id, model, content, stop_reason } = answer.message;
	const used = usage.optional().safeParse(answer.message.usage);
	return {
		type: 'answer' as const,
		/** The same on every line of one message. */
		messageId: id,
		/** Absent on messages that Claude created itself. */
		model: model === SYNTHETIC_MODEL ? undefined : model,
		usage: used.data,
		/** Messages with an invalid usage are shown, not counted. */
		isCounted: used.success,
		text: textOf(content),
		blocks: content.flatMap((block) => textBlock.safeParse(block).data ?? callBlock.safeParse(block).data ?? []),
		isApiError: answer.isApiErrorMessage === true,
		/** The model waits for its user. */
		endsTurn: stop_reason != null && stop_reason !== 'tool_use' && stop_reason !== 'pause_turn',
	};
}

/** Unix milliseconds. */
function toTime(timestamp: unknown): number | undefined {
	const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
	return Number.isNaN(at) ? undefined : at;
}

function isInterruption(message: string): boolean {
	return /^\[Request interrupted by user[^\]]*\]$/.test(message.trim());
}

export function textOf(content: readonly { type: string }[]): string {
	return content.flatMap((block) => textBlock.safeParse(block).data?.text ?? []).join('');
}
