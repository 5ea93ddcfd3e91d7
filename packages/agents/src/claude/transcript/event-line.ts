// One line of Claude's transcript with everything that a feed shows.
import { parseJson } from '@roost/core/display/parse-json';
import { type ToolInput, toolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import { isInterruption, textOf, toTime } from './transcript-line.ts';

export type EventLine = Place & (Prompt | Interrupted | Results | Answer | Compacted | { type: 'other' });

type Place = { at?: number; cwd?: string; permissionMode?: string; sidechain: boolean; agentId?: string };

type Prompt = { type: 'prompt'; text: string };
type Interrupted = { type: 'interrupted' };
type Results = { type: 'results'; results: ToolResult[] };
type Compacted = { type: 'compacted'; trigger: 'manual' | 'auto' };

export type ToolResult = { toolUseId: string; failed: boolean; text: string; response: unknown; agentId?: string };

type Answer = {
	type: 'answer';
	messageId?: string;
	blocks: ({ type: 'text'; text: string } | { type: 'call'; id: string; tool: string; input: ToolInput })[];
	isApiError: boolean;
	/** The model waits for its user. */
	endsTurn: boolean;
};

/** Null for what is not a transcript line. */
export function parseEventLine(line: string): EventLine | null {
	const parsed = anyLine.safeParse(parseJson(line));
	if (!parsed.success) return null;
	const place: Place = {
		at: toTime(parsed.data.timestamp),
		cwd: parsed.data.cwd,
		permissionMode: parsed.data.permissionMode,
		sidechain: parsed.data.isSidechain === true,
		agentId: parsed.data.agentId,
	};
	if (parsed.data.type === 'user') return { ...place, ...toUser(parsed.data) };
	if (parsed.data.type === 'assistant') return { ...place, ...toAnswer(parsed.data) };
	const compacted = compactLine.safeParse(parsed.data);
	if (compacted.success) return { ...place, type: 'compacted', trigger: compacted.data.compactMetadata?.trigger ?? 'auto' };
	return { ...place, type: 'other' };
}

const blocks = z.array(z.looseObject({ type: z.string() }));
const text = z.string().optional().catch(undefined);

const anyLine = z.looseObject({
	type: z.string(),
	timestamp: z.unknown().optional(),
	cwd: text,
	permissionMode: text,
	agentId: text,
	isSidechain: z.unknown().optional(),
});

const userLine = z.object({
	isMeta: z.boolean().optional(),
	isCompactSummary: z.boolean().optional(),
	toolUseResult: z.unknown().optional(),
	message: z.object({ content: z.union([z.string(), blocks]) }),
});

const assistantLine = z.object({
	isApiErrorMessage: z.boolean().optional(),
	message: z.object({ id: z.string().min(1).optional(), content: blocks, stop_reason: z.string().nullish() }),
});

const compactLine = z.object({
	type: z.literal('system'),
	subtype: z.literal('compact_boundary'),
	compactMetadata: z.object({ trigger: z.enum(['manual', 'auto']) }).optional(),
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

function toUser(line: unknown): Prompt | Interrupted | Results | { type: 'other' } {
	const user = userLine.safeParse(line).data;
	if (user === undefined) return { type: 'other' };
	const { content } = user.message;
	const results = typeof content === 'string' ? [] : content.flatMap((block) => resultBlock.safeParse(block).data ?? []);
	if (results.length > 0) return { type: 'results', results: results.map((result) => toResult(result, user.toolUseResult)) };
	if (user.isMeta === true || user.isCompactSummary === true) return { type: 'other' };
	const said = typeof content === 'string' ? content : textOf(content);
	return isInterruption(said) ? { type: 'interrupted' } : { type: 'prompt', text: said };
}

/** The line's own result is what hooks report; the block contains what the model was given. */
function toResult({ tool_use_id, is_error, content }: z.infer<typeof resultBlock>, own: unknown): ToolResult {
	const told = typeof content === 'string' ? content : textOf(content ?? []);
	return {
		toolUseId: tool_use_id,
		failed: is_error === true,
		text: told,
		response: own ?? content ?? null,
		agentId: spawned.safeParse(own).data?.agentId,
	};
}

function toAnswer(line: unknown): Answer | { type: 'other' } {
	const answer = assistantLine.safeParse(line).data;
	if (answer === undefined) return { type: 'other' };
	const { id, content, stop_reason } = answer.message;
	return {
		type: 'answer',
		messageId: id,
		blocks: content.flatMap((block) => toBlock(block)),
		isApiError: answer.isApiErrorMessage === true,
		endsTurn: stop_reason != null && stop_reason !== 'tool_use' && stop_reason !== 'pause_turn',
	};
}

function toBlock(block: unknown): Answer['blocks'] {
	const said = textBlock.safeParse(block).data;
	if (said) return [said];
	const call = callBlock.safeParse(block).data;
	return call ? [{ type: 'call', id: call.id, tool: call.name, input: call.input }] : [];
}
