// One short head over the whole log, to be kept elsewhere: it proves later that nothing before it was changed.
import { createHash, hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { lastPosition, toPosition } from './position.ts';
import { allRows, numberOf, textOf } from './row-values.ts';
import { inTransaction } from './transaction.ts';

/** The number of events of each runner that it covers, in the order of runner numbers, and their digest. */
export type Anchor = { counts: readonly number[]; digest: string };

/**
 * Over the log, or over its beginning where `counts` of an earlier head are given; null where the log has fewer events than those.
 * Every hash covers its line and all lines before it in its stream, so that their sequence covers the whole log.
 */
export function readAnchor(db: DatabaseSync, counts?: readonly number[]): Anchor | null {
	return inTransaction(db, 'read', () => {
		const hashes = db.prepare('SELECT hash FROM events WHERE position BETWEEN ? AND ? ORDER BY position LIMIT ?');
		const found: number[] = [];
		let digest = hash('sha256', 'roost anchor');
		const extend = (text: string) => {
			digest = createHash('sha256').update(digest).update('\n').update(text).digest('hex');
		};
		for (const [index, row] of allRows(db, 'SELECT runner_no, runner FROM runners ORDER BY runner_no').entries()) {
			// A runner that was added later is no part of an earlier head.
			if (counts !== undefined && index >= counts.length) break;
			const limit = counts === undefined ? -1 : (counts[index] ?? 0);
			const no = numberOf(row, 'runner_no');
			let events = 0;
			for (const event of hashes.iterate(toPosition(no, 1), lastPosition(no), limit)) {
				if (events++ === 0) extend(`runner ${JSON.stringify(textOf(row, 'runner'))}`);
				extend(textOf(event, 'hash'));
			}
			if (counts !== undefined && events < limit) return null;
			found.push(events);
		}
		if (counts?.slice(found.length).some((count) => count > 0)) return null;
		return { counts: found.length === 0 ? [0] : found, digest: toBase32(digest) };
	});
}

/** Counts joined by `+`, then the digest: `1204-k7f3…`. */
export function formatAnchor({ counts, digest }: Anchor): string {
	return `${counts.join('+')}-${digest}`;
}

/** Undefined for text that is not a head. */
export function parseAnchor(text: string): Anchor | undefined {
	const [, counts, digest] = /^(\d{1,13}(?:\+\d{1,13}){0,99})-([a-z2-7]{20})$/.exec(text.trim().toLowerCase()) ?? [];
	if (counts === undefined || digest === undefined) return undefined;
	return { counts: counts.split('+').map(Number), digest };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGITS = 20;

/** The first 100 bits: short enough to write down, too many to guess. */
function toBase32(hex: string): string {
	let bits = BigInt(`0x${hex.slice(0, 25)}`);
	let text = '';
	for (let digit = 0; digit < DIGITS; digit++) {
		text = (ALPHABET[Number(bits & 31n)] ?? '') + text;
		bits >>= 5n;
	}
	return text;
}
