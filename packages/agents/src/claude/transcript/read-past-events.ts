// The events of a past session as the agent would have reported them, with its subagents, one line in memory at a time.
import { isAbsolute, join } from 'node:path';
import { type EventBase, RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { toKnownEvent } from '@roost/core/runtime/normal-form/read-report';
import type { ToolInput } from '@roost/protocol/feed/base';
import { subagentFolder, transcriptLines } from '../../base/transcript-files.ts';
import type { TranscriptFile } from '../../base/transcripts.ts';
import { type Answer, parseTranscriptLine, type ToolResult, type TranscriptLine } from './transcript-line.ts';

type PastTranscriptFile = Pick<TranscriptFile, 'path' | 'nativeId'>;

/** Throws an `AppError` where the transcript cannot be read. */
export async function* readPastEvents(file: PastTranscriptFile): AsyncGenerator<RuntimeEvent> {
	const { path, nativeId } = file;
	let last: RuntimeEvent | undefined;
	for await (const item of itemsOf(path, createTranslation({ path, nativeId }))) {
		if (item.type === 'event') {
			last = item.event;
			yield item.event;
		} else if (last) {
			yield* readSubagent(file, item, last);
		}
	}
}

type Subagent = TranscriptItem & { type: 'subagent' };

/** A subagent without a readable transcript is still reported as started and stopped. */
async function* readSubagent(file: PastTranscriptFile, { agentId, agentType }: Subagent, last: RuntimeEvent) {
	const whose = { agent_id: agentId, agent_type: agentType };
	const { timestamp, sessionId, context, interaction } = last;
	function report<Name extends HookName>(hookName: Name, payload: HookPayload<Name>): RuntimeEvent {
		return toKnownEvent({ id: `${agentId}:${hookName}`, timestamp, sessionId, agentId, context, interaction }, hookName, payload);
	}
	yield report('SubagentStart', whose);
	const path = subagentPath(file.path, agentId);
	if (path !== null) {
		const translation = createTranslation({ nativeId: file.nativeId, path, agent: { id: agentId, type: agentType } });
		try {
			// Nested subagents appear only as call and result.
			for await (const item of itemsOf(path, translation)) if (item.type === 'event') yield item.event;
		} catch (cause) {
			yield report(RUNTIME_ERROR, { ...whose, code: 'no_transcript', message: messageOf(cause) });
		}
	}
	yield report('SubagentStop', { ...whose, stop_hook_active: false });
}

async function* itemsOf(path: string, translation: Translation): AsyncGenerator<TranscriptItem> {
	for await (const line of transcriptLines(path)) yield* translation.translate(line.type === 'line' ? line.text : null);
	yield* translation.end();
}

/** The id comes from the transcript, and must not be a path. */
function subagentPath(transcript: string, agentId: string): string | null {
	const folder = subagentFolder(transcript);
	return folder !== null && isAbsolute(folder) && /^[A-Za-z0-9_-]{1,128}$/.test(agentId)
		? join(folder, `agent-${agentId}.jsonl`)
		: null;
}

function messageOf(cause: unknown): string {
	return cause instanceof Error ? cause.message : String(cause);
}

export type TranscriptItem = { type: 'event'; event: RuntimeEvent } | { type: 'subagent'; agentId: string; agentType: string };

type Translation = ReturnType<typeof createTranslation>;

/** Beyond this the oldest result is reported without its call. */
const MOST_OPEN_CALLS = 1_000;

type Call = { tool: string; input: ToolInput };

export function createTranslation(source: {
	nativeId: string;
	path: string;
	/** Set for a subagent's own transcript. */
	agent?: { id: string; type: string };
}) {
	const calls = new Map<string, Call>();
	const place: { at: number; cwd: string; permissionMode?: string } = { at: 0, cwd: '' };
	let lines = 0;
	let reports = 0;
	let begun = source.agent !== undefined;
	/** The answer that may have ended the turn. */
	let stopping: { messageId: string | undefined; text: string; at: number } | null = null;

	function report<Name extends HookName>(
		hookName: Name,
		payload: HookPayload<Name>,
		agentId = source.agent?.id,
		at = place.at,
	): TranscriptItem {
		return { type: 'event', event: toKnownEvent(toBase(agentId, at), hookName, payload) };
	}

	function toBase(agentId: string | undefined, at: number): EventBase {
		reports += 1;
		return {
			id: `${source.agent?.id ?? source.nativeId}:${reports}`,
			timestamp: at,
			sessionId: source.nativeId,
			...(agentId === undefined ? {} : { agentId }),
			context: {
				cwd: place.cwd,
				transcriptPath: source.path,
				...(place.permissionMode === undefined ? {} : { permissionMode: place.permissionMode }),
			},
			interaction: { expectsDecision: false },
		};
	}

	function lostResult(
		{ toolUseId: tool_use_id, response: tool_response }: ToolResult,
		agentId: string | undefined,
	): TranscriptItem {
		const payload = { tool_use_id, tool_response };
		return { type: 'event', event: { ...toBase(agentId, place.at), hookName: 'TranscriptResult', payload, unread: 'unknown' } };
	}

	function begin(): TranscriptItem[] {
		if (begun) return [];
		begun = true;
		return [report('SessionStart', { source: 'startup' })];
	}

	/** A subagent's stop is reported by the reader of its file. */
	function stop(more: { interrupted?: true } = {}): TranscriptItem[] {
		if (source.agent) return [];
		const { text = '', at = place.at } = stopping ?? {};
		stopping = null;
		const last = text === '' ? {} : { last_assistant_message: text };
		return [report('Stop', { stop_hook_active: false, ...last, ...more }, undefined, at)];
	}

	const settle = (): TranscriptItem[] => (stopping ? stop() : []);

	function say(line: TranscriptLine, agentId: string | undefined): TranscriptItem[] {
		switch (line.type) {
			case 'prompt':
				return agentId === undefined ? [...settle(), report('UserPromptSubmit', { prompt: line.text })] : [];
			case 'interrupted':
				return stop({ interrupted: true });
			case 'results':
				return line.results.flatMap((result) => endCall(result, agentId));
			case 'compacted':
				return [...settle(), report('PostCompact', { trigger: line.trigger })];
			case 'answer':
				return answer(line, agentId);
			case 'title':
			case 'other':
				return [];
		}
	}

	function answer(line: Answer, agentId: string | undefined): TranscriptItem[] {
		const { text } = line;
		if (line.isApiError && agentId === undefined) {
			stopping = null;
			return [report('StopFailure', { error: 'api_error', last_assistant_message: text })];
		}
		const messages = line.blocks.flatMap((block) => {
			if (block.type === 'text') return shown(block.text, line.messageId, agentId);
			return announce(block, agentId);
		});
		if (agentId === undefined)
			stopping = line.endsTurn ? { messageId: line.messageId, text: text || stoppingText(line), at: place.at } : null;
		return messages;
	}

	/** A message may span lines, and its text may be on an earlier one. */
	function stoppingText({ messageId }: Pick<Answer, 'messageId'>): string {
		return stopping && stopping.messageId === messageId ? stopping.text : '';
	}

	function shown(text: string, messageId: string | undefined, agentId: string | undefined): TranscriptItem[] {
		if (text.trim() === '') return [];
		return [report('MessageDisplay', { delta: text, final: true, index: 0, message_id: messageId }, agentId)];
	}

	function announce(
		{ id, name: tool, input }: { id: string; name: string; input: ToolInput },
		agentId: string | undefined,
	): TranscriptItem[] {
		if (calls.has(id)) return [];
		calls.set(id, { tool, input });
		const oldest = calls.keys().next();
		if (calls.size > MOST_OPEN_CALLS && !oldest.done) calls.delete(oldest.value);
		return [report('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id }, agentId)];
	}

	function endCall(result: ToolResult, agentId: string | undefined): TranscriptItem[] {
		const call = calls.get(result.toolUseId);
		if (!call) return [lostResult(result, agentId)];
		calls.delete(result.toolUseId);
		const named = { tool_name: call.tool, tool_input: call.input, tool_use_id: result.toolUseId };
		const ended = result.failed
			? report('PostToolUseFailure', { ...named, error: result.text }, agentId)
			: report('PostToolUse', { ...named, tool_response: result.response }, agentId);
		return [...spawnedBy(call, result), ended];
	}

	return {
		/** Null for a line that is too long. */
		translate(line: string | null): TranscriptItem[] {
			lines += 1;
			if (line?.trim() === '') return [];
			const parsed = line === null ? null : parseTranscriptLine(line);
			if (!parsed) return [...begin(), report(RUNTIME_ERROR, unreadable(lines))];
			place.at = Math.max(place.at, parsed.at ?? 0);
			place.cwd = parsed.cwd ?? place.cwd;
			if (parsed.permissionMode !== undefined) place.permissionMode = parsed.permissionMode;
			if (parsed.type === 'other' || parsed.type === 'title') return [];
			const agentId = source.agent?.id ?? (parsed.sidechain ? (parsed.agentId ?? 'sidechain') : undefined);
			return [...begin(), ...say(parsed, agentId)];
		},
		/** Ends an open run. */
		end: settle,
	};
}

function spawnedBy({ input }: Call, { agentId }: ToolResult): TranscriptItem[] {
	const type = input.subagent_type;
	return agentId === undefined ? [] : [{ type: 'subagent', agentId, agentType: typeof type === 'string' ? type : '' }];
}

function unreadable(line: number): HookPayload<typeof RUNTIME_ERROR> {
	return { code: 'bad_line', message: `Line ${line} of the transcript cannot be read; it is left out here.` };
}
