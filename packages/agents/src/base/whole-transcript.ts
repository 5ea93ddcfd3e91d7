// Some agents tell their end before they have written it down: their transcript is whole once its last event is there.
import { setTimeout as delay } from 'node:timers/promises';
import { openRegularFile } from '@roost/machine/foreign-file';
import { AppError } from '@roost/protocol/app-error';

const LIMIT_MS = 5000;
const LOOK_EVERY_MS = 50;
const TAIL_BYTES = 256 * 1024;

/** Comes back when the end of the file says so, when it takes too long, or when it is no file that is read at all. */
export async function untilWhole(path: string, isLast: (line: string) => boolean): Promise<void> {
	const deadline = performance.now() + LIMIT_MS;
	while (performance.now() < deadline) {
		const tail = await readTail(path);
		if (tail === null || isLast(lastLine(tail))) return;
		await delay(LOOK_EVERY_MS);
	}
}

/** One that went on has the end of its earlier part in the middle. */
function lastLine(tail: string): string {
	return tail.trimEnd().split('\n').at(-1) ?? '';
}

/** Empty for what cannot be read, which may change; null for what is no file to be read. */
async function readTail(path: string): Promise<string | null> {
	try {
		const { file, size } = await openRegularFile(path);
		await using _file = file;
		const start = Math.max(0, size - TAIL_BYTES);
		const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
		return buffer.toString('utf8', 0, bytesRead);
	} catch (cause) {
		if (cause instanceof AppError) return null;
		if (cause instanceof Error && 'code' in cause) return '';
		throw cause;
	}
}
