// Random IDs that are easy to type: ten characters, none that look alike.
import { randomBytes } from 'node:crypto';
import { type SessionId, sessionId } from '@roost/protocol/ids';

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

export function newShortId(): string {
	return Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

export function newSessionId(): SessionId {
	return sessionId.parse(newShortId());
}
