// The events of a past session in order, with its subagents, one line in memory at a time.
import { isAbsolute, join } from 'node:path';
import { RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { toKnownEvent } from '@roost/core/runtime/normal-form/read-report';
import { subagentFolder, transcriptLines } from '../../base/transcript-files.ts';
import type { TranscriptFile } from '../../base/transcripts.ts';
import { createTranslation, type TranscriptItem, type Translation } from './transcript-to-events.ts';

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
