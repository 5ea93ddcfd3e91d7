// One short head over everything on record, to be kept elsewhere: it proves later that nothing before it was changed.
import { createHash, hash } from 'node:crypto';

/** How many events of each runner it covers, in the order of their numbers, and what they hash to. */
export type Anchor = { counts: readonly number[]; digest: string };

export type AnchorFold = {
	/** The events of one runner begin. */
	begin(runner: string): void;
	/** The chain hash of its next event. */
	add(hash: string): void;
	digest(): string;
};

/** Every hash covers its line and all lines before it in its stream, so that their sequence covers the whole log. */
export function createAnchorFold(): AnchorFold {
	let last = hash('sha256', 'roost anchor');
	const extend = (text: string) => {
		last = createHash('sha256').update(last).update('\n').update(text).digest('hex');
	};
	return { begin: (runner) => extend(`runner ${JSON.stringify(runner)}`), add: extend, digest: () => toBase32(last) };
}

/** Counts joined by `+`, then the digest: `1204-k7f3…`. */
export function formatAnchor({ counts, digest }: Anchor): string {
	return `${counts.join('+')}-${digest}`;
}

/** Undefined for what is no head. */
export function parseAnchor(text: string): Anchor | undefined {
	const [, counts, digest] = /^(\d{1,13}(?:\+\d{1,13}){0,99})-([a-z2-7]{20})$/.exec(text.trim().toLowerCase()) ?? [];
	if (counts === undefined || digest === undefined) return undefined;
	return { counts: counts.split('+').map(Number), digest };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGITS = 20;

/** The first 100 bits: short enough to write down, too many to be met by trying. */
function toBase32(hex: string): string {
	let bits = BigInt(`0x${hex.slice(0, 25)}`);
	let text = '';
	for (let digit = 0; digit < DIGITS; digit++) {
		text = (ALPHABET[Number(bits & 31n)] ?? '') + text;
		bits >>= 5n;
	}
	return text;
}
