// The fingerprint of a public key, for people to compare on two screens.

const DIGITS = 32;

/** 128 bits of the hash of a key, in groups. `hash`: SHA-256 as hex. */
export function toFingerprint(publicKey: string, hash: (text: string) => string): string {
	return hash(publicKey).slice(0, DIGITS).match(/.{4}/g)?.join(' ') ?? '';
}
