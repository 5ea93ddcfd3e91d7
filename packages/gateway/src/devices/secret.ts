// Secrets of 256 bits, and the digests by which they are kept: a lookup tells nothing about how much of one was right.
import { createHash, randomBytes } from 'node:crypto';

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

export function toDigest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
