// What a list says of a past session, read from its transcript.
import { totalUsage, toUsageByModel } from '@roost/core/usage/tally';
import { ok, type Result } from '@roost/protocol/result';
import type { PastTranscript } from '../../transcripts.ts';
import { readWhole } from './read-transcript.ts';

export async function readPastSession(path: string): Promise<Result<PastTranscript>> {
	const read = await readWhole(path);
	if (!read.ok) return read;
	const { titles, messages, toolCalls, tally, startedAt, lastAt } = read.value;
	return ok({
		title: titles.user ?? titles.agent ?? titles.prompt ?? '',
		messages,
		toolCalls,
		tokens: totalUsage(toUsageByModel(tally)),
		...(startedAt === undefined ? {} : { startedAt }),
		...(lastAt === undefined ? {} : { lastActivity: lastAt }),
	});
}
