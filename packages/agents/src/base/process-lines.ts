// Reads the output of a process line by line, for connections to processes that another part started.
import { createLineFramer } from '@roost/machine/lines';

const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Oversized lines are skipped. `onEnd` gets the error, if there was one. */
export function readProcessLines(
	stdout: ReadableStream<Uint8Array>,
	onLine: (line: string) => void,
	onEnd: (cause?: unknown) => void,
): { cancel(): void } {
	const reader = stdout.getReader();
	const framer = createLineFramer(MAX_LINE_BYTES);
	const pump = async (): Promise<void> => {
		for (let next = await reader.read(); !next.done; next = await reader.read())
			for (const frame of framer.push(next.value)) if (frame.type === 'line') onLine(frame.text);
	};
	void pump().then(() => onEnd(), onEnd);
	return { cancel: () => void reader.cancel().catch(() => {}) };
}
