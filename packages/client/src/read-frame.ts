// What came over the stream's socket: a frame, something newer that may be ignored, or something that must not be guessed at.
import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { z } from 'zod';

export type ReadFrame =
	| { type: 'frame'; frame: ServerFrame }
	/** The first frame of any version: read loosely, so that a newer one is still understood as such. */
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
const anyFrame = z.object({ type: z.string() });
const knownTypes: ReadonlySet<string> = new Set(serverFrame.options.map((option) => option.shape.type.value));

export function readFrame(text: string): ReadFrame {
	const json = parseJson(text);
	const hello = looseHello.safeParse(json);
	if (hello.success) return hello.data;
	const parsed = serverFrame.safeParse(json);
	if (parsed.success) return { type: 'frame', frame: parsed.data };
	const typed = anyFrame.safeParse(json);
	// A runner that only says more keeps its protocol version; one that says it differently raises it.
	if (typed.success && !knownTypes.has(typed.data.type)) return { type: 'unknown' };
	return { type: 'unreadable' };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// No frame is `undefined`, so it is read as unreadable.
		return undefined;
	}
}
