// What a session has used so far, read from its transcripts as they grow: each byte is read once, however often one asks.
import { createUsageTally, toUsageByModel } from '@roost/core/usage/tally';
import type { Frame } from '@roost/machine/lines';
import { ok, type Result } from '@roost/protocol/result';
import { type Place, readLines, START, siblingTranscripts, subagentTranscripts } from '../../base/transcript-files.ts';
import type { TranscriptUsage } from '../../base/transcripts.ts';
import { createTranscriptReading, readSubagentLine } from './transcript-reading.ts';

/** The lines of one message stand close together; a runner follows many sessions for weeks. */
const REMEMBERED_MESSAGES = 1_000;

/** `since`: what was used before is not counted. */
export function createTranscriptUsage(path: string, since = 0): TranscriptUsage {
	const reading = createTranscriptReading({ tally: createUsageTally(REMEMBERED_MESSAGES), since });
	const places = new Map<string, Place>();

	/** What each message used is counted the same way in all of them. */
	function takeLine(line: Frame, isEnded: boolean): void {
		if (line.type === 'line' && isEnded) readSubagentLine(reading, line.text);
	}

	async function readOn(file: string): Promise<Result<unknown>> {
		const read = await readLines(file, places.get(file) ?? START, takeLine);
		if (read.ok) places.set(file, read.value);
		return read;
	}

	return {
		async read(nativeIds = []) {
			const main = await readOn(path);
			if (!main.ok) return main;
			// What cannot be read now is missing in the sum until it can: the session's end says so.
			for (const transcript of [path, ...siblingTranscripts(path, nativeIds)]) {
				if (transcript !== path) await readOn(transcript);
				const subagents = await subagentTranscripts(transcript);
				for (const subagent of subagents.ok ? subagents.value : []) await readOn(subagent);
			}
			return ok(toUsageByModel(reading.tally));
		},
	};
}
