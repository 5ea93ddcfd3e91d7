// One line of Claude's transcript, reduced to what Roost counts and lists.
import { parseJson } from '@roost/core/display/parse-json';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { z } from 'zod';

export type TranscriptLine =
	| { type: 'prompt'; id?: string; sidechain: boolean; text: string; at?: number }
	| { type: 'answer'; sidechain: boolean; answer: Answer }
	| { type: 'title'; by: 'user' | 'agent'; title: string }
	| { type: 'other'; at?: number };

export type Answer = {
	/** The same on every line of one message. */
	messageId?: string;
	/** Absent on messages that Claude created itself. */
	model?: string;
	usage?: TokenUsage;
	text: string;
	toolCallIds: string[];
	at?: number;
	isApiError: boolean;
};

/** Null for what is not a transcript line. */
export function parseTranscriptLine(line: string): TranscriptLine | null {
	const head = lineHead.safeParse(parseJson(line));
	if (!head.success) return null;
	const at = toTime(head.data.timestamp);
	if (head.data.type === 'user') return toPrompt(userLine.safeParse(head.data).data, at);
	if (head.data.type !== 'assistant') return toTitle(head.data) ?? { type: 'other', at };
	const assistant = assistantLine.safeParse(head.data);
	if (!assistant.success) return null;
	return { type: 'answer', sidechain: assistant.data.isSidechain === true, answer: toAnswer(assistant.data) };
}

const SYNTHETIC_MODEL = '<synthetic>';

const tokens = z.number().int().nonnegative();

/** `output_tokens_details` of a message's usage; absent for models that do not think. */
export const thinkingTokens = z
	.object({ thinking_tokens: z.number().int().positive() })
	.transform(({ thinking_tokens }): { reasoning_tokens?: number } => ({ reasoning_tokens: thinking_tokens }))
	.optional()
	.catch(undefined);

const lineHead = z.looseObject({ type: z.string(), timestamp: z.unknown().optional() });

const titleLine = z.union([
	z.object({ type: z.literal('custom-title'), customTitle: z.string() }).transform((line) => userTitle(line.customTitle)),
	z.object({ type: z.literal('ai-title'), aiTitle: z.string() }).transform((line) => agentTitle(line.aiTitle)),
	z.object({ type: z.literal('summary'), summary: z.string() }).transform((line) => agentTitle(line.summary)),
]);

const userLine = z.object({
	uuid: z.string().optional(),
	isSidechain: z.boolean().optional(),
	isMeta: z.boolean().optional(),
	isCompactSummary: z.boolean().optional(),
	message: z.object({ content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]) }),
});

const assistantLine = z.object({
	isSidechain: z.boolean().optional(),
	isApiErrorMessage: z.boolean().optional(),
	timestamp: z.string().optional(),
	message: z.object({
		id: z.string().min(1).optional(),
		model: z.string().optional(),
		content: z.array(z.looseObject({ type: z.string() })),
		usage: z
			.object({
				input_tokens: tokens,
				output_tokens: tokens,
				cache_read_input_tokens: tokens.nullish(),
				cache_creation_input_tokens: tokens.nullish(),
				output_tokens_details: thinkingTokens,
			})
			.optional(),
	}),
});

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const toolUseBlock = z.object({ type: z.literal('tool_use'), id: z.string() });

/** Unix milliseconds. */
export function toTime(timestamp: unknown): number | undefined {
	const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
	return Number.isNaN(at) ? undefined : at;
}

export function isInterruption(text: string): boolean {
	return /^\[Request interrupted by user[^\]]*\]$/.test(text.trim());
}

/** Tool results and Claude's own notes are user lines too, but not prompts. */
function toPrompt(user: z.infer<typeof userLine> | undefined, at: number | undefined): TranscriptLine {
	if (user === undefined || user.isMeta === true || user.isCompactSummary === true) return { type: 'other', at };
	const { content } = user.message;
	if (typeof content !== 'string' && content.some((block) => block.type === 'tool_result')) return { type: 'other', at };
	const text = typeof content === 'string' ? content : textOf(content);
	if (isInterruption(text)) return { type: 'other', at };
	return { type: 'prompt', id: user.uuid, sidechain: user.isSidechain === true, text, at };
}

function toTitle(line: unknown): TranscriptLine | undefined {
	return titleLine.safeParse(line).data;
}

function userTitle(title: string): TranscriptLine {
	return { type: 'title', by: 'user', title };
}

function agentTitle(title: string): TranscriptLine {
	return { type: 'title', by: 'agent', title };
}

export function textOf(content: readonly { type: string }[]): string {
	return content.flatMap((block) => textBlock.safeParse(block).data?.text ?? []).join('');
}

function toAnswer({ message, timestamp, isApiErrorMessage }: z.infer<typeof assistantLine>): Answer {
	return {
		messageId: message.id,
		model: message.model === SYNTHETIC_MODEL ? undefined : message.model,
		usage: message.usage && {
			input_tokens: message.usage.input_tokens,
			output_tokens: message.usage.output_tokens,
			cache_read_tokens: message.usage.cache_read_input_tokens ?? 0,
			cache_write_tokens: message.usage.cache_creation_input_tokens ?? 0,
			...message.usage.output_tokens_details,
		},
		text: textOf(message.content),
		toolCallIds: message.content.flatMap((block) => toolUseBlock.safeParse(block).data?.id ?? []),
		at: toTime(timestamp),
		isApiError: isApiErrorMessage === true,
	};
}
