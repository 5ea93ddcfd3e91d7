// Some agents tell their end before they have written it down: their transcript is whole once its last event is there.
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 5000;
const LOOK_EVERY_MS = 50;
const TAIL_BYTES = 256 * 1024;

/** Comes back when the end of the file says so, or when it takes too long: then what is there counts. */
export async function untilWhole(path: string, isLast: (line: string) => boolean): Promise<void> {
	const deadline = performance.now() + LIMIT_MS;
	while (!isLast(await lastLine(path)) && performance.now() < deadline) await delay(LOOK_EVERY_MS);
}

/** One that went on has the end of its earlier part in the middle. */
async function lastLine(path: string): Promise<string> {
	return (await readTail(path)).trimEnd().split('\n').at(-1) ?? '';
}

/** Empty for what cannot be read: whoever reads the whole file says so. */
async function readTail(path: string): Promise<string> {
	try {
		await using file = await open(path);
		const { size } = await file.stat();
		const start = Math.max(0, size - TAIL_BYTES);
		const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
		return buffer.toString('utf8', 0, bytesRead);
	} catch (cause) {
		if (cause instanceof Error && 'code' in cause) return '';
		throw cause;
	}
}
