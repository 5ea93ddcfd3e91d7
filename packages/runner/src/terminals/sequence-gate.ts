// Filters program output: pieces never end inside a character or an escape sequence, and sequences that access the
// clipboard, wrap other sequences, or link to anything but the web are removed.
import { isC1Control, type ReadSequence, readSequence, stringEnd } from './read-sequence.ts';

/** `clean`: the bytes end outside of a sequence. */
export type Gated = { bytes: Buffer; clean: boolean };

/** A sequence up to this length is passed on whole; a longer one, such as an image, in pieces. */
const MOST_HELD = 64 * 1024;
const NONE = Buffer.alloc(0);
const CAN = Buffer.from([0x18]);
const ST = Buffer.from('\x1b\\');

export function createSequenceGate() {
	let held: Buffer = NONE;
	/** Set inside a sequence that is too long to be held. */
	let inside: Pick<ReadSequence, 'verdict' | 'endsWithBell'> | undefined;
	/** The last output has no end of its own: if what ends it is removed, it would continue with later output. */
	let isOpen = false;

	function push(chunk: Buffer): Gated {
		const data = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
		held = NONE;
		const out: Buffer[] = [];
		const start = inside ? continueLong(inside, data, out) : 0;
		if (start < data.length) scan(data, start, out);
		return { bytes: out.length === 1 ? (out[0] ?? NONE) : Buffer.concat(out), clean: inside?.verdict !== 'pass' };
	}

	function continueLong({ verdict, endsWithBell }: NonNullable<typeof inside>, data: Buffer, out: Buffer[]): number {
		const { contentEnd, end, done } = stringEnd(data, 0, endsWithBell);
		if (verdict === 'pass') out.push(data.subarray(0, end));
		isOpen = verdict === 'pass' && contentEnd === end;
		if (done) inside = undefined;
		else held = copyFrom(data, end);
		return done ? end : data.length;
	}

	function scan(data: Buffer, start: number, out: Buffer[]): void {
		let from = start;
		let done = start;
		const nextIntroducer = introducersOf(data);
		for (let at = nextIntroducer(start); at >= 0; at = nextIntroducer(done)) {
			if (at > done) isOpen = isPartial(data[at - 1]);
			const read = readSequence(data, at);
			if (!read?.whole && data.length - at <= MOST_HELD) {
				out.push(data.subarray(from, at));
				held = copyFrom(data, at);
				return;
			}
			if (read?.verdict !== 'pass') {
				out.push(data.subarray(from, at), isOpen ? ST : NONE);
				// Still incomplete after this many bytes: drop its ESC, so that it never becomes a sequence.
				from = read?.end ?? at + 1;
			}
			if (read && !read.whole) {
				inside = read;
				const { end } = stringEnd(data, read.end, read.endsWithBell);
				if (read.verdict === 'pass') out.push(data.subarray(from, end));
				held = copyFrom(data, end);
				return;
			}
			isOpen = read?.verdict === 'pass' && read.isCutOff;
			done = read?.end ?? at + 1;
		}
		const end = wholeCharacters(data, from);
		if (end > done) isOpen = isPartial(data[end - 1]);
		out.push(data.subarray(from, end));
		held = copyFrom(data, end);
	}

	return {
		push,
		/** Cuts off a long sequence, so that the output is clean now. */
		cancel(): Buffer {
			if (inside?.verdict !== 'pass') return NONE;
			inside = { ...inside, verdict: 'drop' };
			return CAN;
		},
		/** The held bytes at the end of the program. */
		flush(): Buffer {
			// Not a sequence to be dropped: later output to the same terminal would complete it.
			const read = inside ?? (introducersOf(held)(0) === 0 ? readSequence(held, 0) : undefined);
			const rest = read?.verdict === 'drop' ? NONE : held;
			held = NONE;
			return rest;
		},
	};
}

/** The rest, for the next call: the data itself is only valid during this one. */
function copyFrom(data: Buffer, start: number): Buffer {
	return start === data.length ? NONE : Buffer.from(data.subarray(start));
}

/** The position of the next ESC or C1 control; each byte is checked once. */
function introducersOf(data: Buffer): (from: number) => number {
	let esc = data.indexOf(0x1b);
	let c1 = nextC1(data, 0);
	return (from) => {
		if (esc >= 0 && esc < from) esc = data.indexOf(0x1b, from);
		if (c1 >= 0 && c1 < from) c1 = nextC1(data, from);
		return esc >= 0 && c1 >= 0 ? Math.min(esc, c1) : Math.max(esc, c1);
	};
}

function nextC1(data: Buffer, from: number): number {
	let at = data.indexOf(0xc2, from);
	while (at >= 0 && !isC1Control(0xc2, data[at + 1])) at = data.indexOf(0xc2, at + 1);
	return at;
}

/** Part of a character can combine with a control after it. */
function isPartial(byte = 0): boolean {
	return byte >= 0x80;
}

/** The end of the last whole character; invalid UTF-8 counts as whole. */
function wholeCharacters(data: Buffer, from: number): number {
	for (let back = 1; back <= 3 && data.length - back >= from; back++) {
		const byte = data[data.length - back] ?? 0;
		if (byte < 0x80) break;
		if (byte < 0xc0) continue;
		const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
		return needed > back && byte < 0xf8 ? data.length - back : data.length;
	}
	return data.length;
}
