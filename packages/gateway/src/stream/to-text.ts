// A text frame as its text.
import type { RawData } from 'ws';

export function toText(message: RawData): string {
	if (Buffer.isBuffer(message)) return message.toString();
	return (Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message)).toString();
}
