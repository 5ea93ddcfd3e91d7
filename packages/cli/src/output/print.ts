// What commands print: lines for people, or one line of JSON for programs.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

export async function print(options: { json?: boolean | undefined }, json: unknown, lines: readonly string[]): Promise<void> {
	await write(process.stdout, options.json ? [JSON.stringify(json)] : lines);
}

/** Waits for a slow reader, so that a long record never piles up in memory. */
export async function write(stream: Writable, lines: readonly string[]): Promise<void> {
	if (lines.length === 0) return;
	if (!stream.write(`${lines.join('\n')}\n`)) await once(stream, 'drain');
}
