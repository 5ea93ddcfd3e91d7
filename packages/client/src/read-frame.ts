// Parses frames of the stream's socket: known frames, frames of newer runners, which are ignored, and invalid text.
import { parseJson } from '@roost/core/display/parse-json';
import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { tolerantEvent, tolerantLine } from '@roost/protocol/tolerant-line';
import { z } from 'zod';

export type ReadFrame =
	| { type: 'frame'; frame: ServerFrame }
	/** The first frame of any version: parsed loosely, so that a newer version is recognised. */
	| { type: 'hello'; protocol: number; version: string; runnerId: RunnerId; epoch: number }
	| { type: 'unknown' }
	| { type: 'unreadable' };

const looseHello = z.object({
	type: z.literal('hello'),
	protocol: z.number(),
	version: z.string().catch('unknown'),
	runnerId: runnerId.catch('' as RunnerId),
	epoch: z.number().catch(0),
});
const eventFrame = z.discriminatedUnion('type', [
	z.object({ type: z.literal('line'), line: tolerantLine }),
	z.object({ type: z.literal('delta'), event: tolerantEvent }),
]);
const anyFrame = z.object({ type: z.string() });
const knownTypes: ReadonlySet<string> = new Set(serverFrame.options.map((option) => option.shape.type.value));

export function readFrame(text: string): ReadFrame {
	const json = parseJson(text);
	const hello = looseHello.safeParse(json);
	if (hello.success) return hello.data;
	const frame = serverFrame.safeParse(json).data ?? eventFrame.safeParse(json).data;
	if (frame !== undefined) return { type: 'frame', frame };
	const typed = anyFrame.safeParse(json);
	// Additions keep the protocol version; incompatible changes raise it.
	if (typed.success && !knownTypes.has(typed.data.type)) return { type: 'unknown' };
	return { type: 'unreadable' };
}
