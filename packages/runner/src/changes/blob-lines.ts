// The lines of one version of a file: numbered from 1, hashed whole, shown redacted and cut.
import { createHash } from 'node:crypto';
import { redactLines } from '@roost/core/redaction/redact-lines';
import { sha256 } from '@roost/machine/sha256';

export type BlobLines = {
	readonly count: number;
	/** The last line has no newline at its end. */
	readonly isUnended: boolean;
	/** Of the whole line. */
	hash(line: number): string;
	/** The lines from `first` to `last`, without secrets. */
	shown(first: number, last: number): ShownLine[];
};

export type ShownLine = { text: string; isCut: boolean };

const NEWLINE = 0x0a;
const LONGEST_SHOWN = 2_000;
/** More than is shown, so that a secret at the cut is recognised. */
const LONGEST_READ = 8_000;
/** Lines around those shown, which may hold the beginning and the end of a secret. */
const AROUND = 100;

export function createBlobLines(bytes: Buffer): BlobLines {
	const starts = findStarts(bytes);
	const count = starts.length;
	const isUnended = count > 0 && bytes.at(-1) !== NEWLINE;
	const bytesOf = (line: number) => {
		const end = line < count ? (starts[line] ?? 0) - 1 : bytes.length - (isUnended ? 0 : 1);
		return bytes.subarray(starts[line - 1], end);
	};
	return {
		count,
		isUnended,
		hash: (line) => createHash('sha256').update(bytesOf(line)).digest('hex').slice(0, 16),
		shown(first, last) {
			const from = Math.max(1, first - AROUND);
			const to = Math.min(count, last + AROUND);
			const texts = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) =>
				bytesOf(from + at)
					.subarray(0, LONGEST_READ)
					.toString('utf8'),
			);
			const redacted = redactLines(texts, sha256);
			return redacted.slice(first - from, last - from + 1).map((text, at) => {
				const isCut = text.length > LONGEST_SHOWN || bytesOf(first + at).length > LONGEST_READ;
				return { text: isCut ? text.slice(0, LONGEST_SHOWN) : text, isCut };
			});
		},
	};
}

function findStarts(bytes: Buffer): number[] {
	const starts: number[] = [];
	for (let at = 0; at < bytes.length; ) {
		starts.push(at);
		const end = bytes.indexOf(NEWLINE, at);
		at = end === -1 ? bytes.length : end + 1;
	}
	return starts;
}
