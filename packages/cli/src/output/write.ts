// Writes lines and waits for a slow reader, so that a long record never piles up in memory.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

export async function write(stream: Writable, lines: readonly string[]): Promise<void> {
	if (lines.length === 0) return;
	if (!stream.write(`${lines.join('\n')}\n`)) await once(stream, 'drain');
}
