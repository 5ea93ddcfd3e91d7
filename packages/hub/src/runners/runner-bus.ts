// What nodes tell each other about runners, over the bus. A hint that cannot be read is ignored, as one that was lost.
import { parseJson } from '@roost/core/display/parse-json';
import { queuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { askRow } from '@roost/protocol/ask';
import { feedEvent } from '@roost/protocol/feed/event';
import { type LinkCall, type LinkOutcome, linkOutcome, type TerminalOpen } from '@roost/protocol/hub/link-frames';
import { type RunnerId, sessionId, streamId } from '@roost/protocol/ids';
import { epoch } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { type Bus, brokenReply, isTooLong, toToken } from '../bus/bus.ts';

const promptQueue = z.object({ sessionId, prompts: z.array(queuedPrompt) });

/** Lines that are on disk. Without `lines` where they are too long: then they are read from the database. */
export const linesHint = z.object({
	epoch,
	first: z.int().positive(),
	last: z.int().positive(),
	places: z.array(z.tuple([streamId, z.int().positive()])).optional(),
	asks: z.array(askRow),
	prompts: z.array(promptQueue),
});
/** Rows that came with lines. Those that this version cannot read are left out. */
export function readRows({ asks, queues }: { asks: readonly unknown[]; queues: readonly unknown[] }) {
	return {
		asks: asks.flatMap((row) => askRow.safeParse(row).data ?? []),
		prompts: queues.flatMap((row) => promptQueue.safeParse(row).data ?? []),
	};
}

export type LinesHint = Omit<z.infer<typeof linesHint>, 'places'> & { entries: readonly LogEntry[] | undefined };

export const interestHint = z.object({ node: z.string(), streams: z.array(streamId) });

/** Undefined for a text of another form. */
export function readHint<T>(schema: z.ZodType<T>, text: string): T | undefined {
	return schema.safeParse(parseJson(text)).data;
}

export function toLinesText({ entries, ...head }: LinesHint): string {
	const places = entries?.map(({ stream, offset }) => [stream, offset]);
	const text = [JSON.stringify({ ...head, places }), ...(entries ?? []).map(({ line }) => line)].join('\n');
	return isTooLong(text) ? JSON.stringify({ ...head, asks: [], prompts: [] }) : text;
}

export function readLinesText(text: string): LinesHint | undefined {
	const [first = '', ...lines] = text.split('\n');
	const hint = readHint(linesHint, first);
	if (!hint) return undefined;
	const { places, ...head } = hint;
	if (!places) return { ...head, entries: undefined };
	if (places.length !== lines.length || head.last !== head.first + lines.length - 1) return undefined;
	const entries = places.map(([stream, offset], at) => ({ seqNo: head.first + at, stream, offset, line: lines[at] ?? '' }));
	return { ...head, entries };
}

export const linesOf = (id: RunnerId) => `lines.${toToken(id)}`;
export const deltasOf = (id: RunnerId) => `deltas.${toToken(id)}`;
export const interestIn = (id: RunnerId) => `interest.${toToken(id)}`;
export const callsOf = (id: RunnerId) => `runner.${toToken(id)}`;
export const opensOf = (id: RunnerId) => `terminals.${toToken(id)}`;
export const commandsOf = (id: RunnerId) => `commands.${toToken(id)}`;

export function readDelta(text: string) {
	return readHint(feedEvent, text);
}

/** At the node that is connected to the runner; undefined if none is. */
export async function callElsewhere(bus: Bus, id: RunnerId, call: LinkCall, requestMs: number): Promise<LinkOutcome | undefined> {
	const reply = await bus.request(callsOf(id), JSON.stringify(call), requestMs);
	const outcome = reply.ok ? readHint(linkOutcome.nullable(), reply.value) : undefined;
	if (outcome !== undefined) return outcome ?? undefined;
	const { code, message } = reply.ok ? brokenReply() : reply.error;
	return code === 'not_found' ? undefined : { ok: false, error: { code, message } };
}

/** The same for a terminal: that node asks the runner to join the channel. */
export async function openElsewhere(bus: Bus, id: RunnerId, open: TerminalOpen): Promise<Result<void>> {
	const reply = await bus.request(opensOf(id), JSON.stringify(open), OPEN_MS);
	if (reply.ok && reply.value === OPENED) return ok(undefined);
	return err(reply.ok || reply.error.code === 'not_found' ? new AppError('not_found', 'The runner is offline.') : reply.error);
}

/** The reply where the runner is still connected. */
export const OPENED = 'opened';
const OPEN_MS = 5_000;
