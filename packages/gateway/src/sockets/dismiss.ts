// Says goodbye to a client, and goes on without its answer when it takes too long.
import { setTimeout as delay } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';

/** How long a client may take to say goodbye too. */
const GOODBYE_MS = 500;

export async function dismiss(client: WebSocket, code: number, reason: string): Promise<void> {
	const { promise: gone, resolve } = Promise.withResolvers<void>();
	client.once('close', () => resolve());
	client.close(code, reason);
	await Promise.race([gone, delay(GOODBYE_MS, undefined, { ref: false })]);
	client.terminate();
	await gone;
}

/** A text frame as its text. */
export function toText(message: RawData): string {
	if (Buffer.isBuffer(message)) return message.toString();
	return (Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message)).toString();
}
