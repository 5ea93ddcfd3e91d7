// What a program writes, before anybody sees it: no piece ends inside a character or an escape sequence, and sequences
// that reach for the clipboard, smuggle others through, or link to anything but the web are taken out.
import { isC1Control, type ReadSequence, readSequence, stringEnd } from './read-sequence.ts';

export type SequenceGate = {
	push(bytes: Buffer): Gated;
	/** Cuts off a long sequence that is under way, so that there is a clean place now. */
	cancel(): Buffer;
	/** What was held back at the end of the program. */
	flush(): Buffer;
};

/** `clean`: after these bytes a terminal waits for something new. */
export type Gated = { bytes: Buffer; clean: boolean };

/** A sequence up to this long is passed on whole; a longer one, such as a picture, as it comes. */
const MOST_HELD = 64 * 1024;
const NONE = Buffer.alloc(0);
/** Cancels whatever sequence a terminal is in. */
const CAN = Buffer.from([0x18]);
/** Ends whatever a terminal is in, and else does nothing. */
const ST = Buffer.from('\x1b\\');

export function createSequenceGate(): SequenceGate {
	let held: Buffer = NONE;
	/** Inside a sequence that is too long to be held. */
	let inside: Pick<ReadSequence, 'verdict' | 'endsWithBell'> | undefined;
	/** What was passed on last has no end of its own: if what ends it is taken out, it would go on with what comes then. */
	let isOpen = false;

	function push(chunk: Buffer): Gated {
		const data = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
		held = NONE;
		const out: Buffer[] = [];
		const start = inside ? goOn(inside, data, out) : 0;
		if (start < data.length) scan(data, start, out);
		return { bytes: out.length === 1 ? (out[0] ?? NONE) : Buffer.concat(out), clean: inside?.verdict !== 'pass' };
	}

	/** Returns where the long sequence ends. */
	function goOn({ verdict, endsWithBell }: NonNullable<typeof inside>, data: Buffer, out: Buffer[]): number {
		const { contentEnd, end, done } = stringEnd(data, 0, endsWithBell);
		if (verdict === 'pass') out.push(data.subarray(0, end));
		isOpen = verdict === 'pass' && contentEnd === end;
		if (done) inside = undefined;
		else held = data.subarray(end);
		return done ? end : data.length;
	}

	function scan(data: Buffer, start: number, out: Buffer[]): void {
		let from = start;
		let done = start;
		const nextIntroducer = introducersOf(data);
		for (let at = nextIntroducer(start); at >= 0; at = nextIntroducer(done)) {
			if (at > done) isOpen = mayGoOn(data[at - 1]);
			const read = readSequence(data, at);
			if (!read?.whole && data.length - at <= MOST_HELD) {
				out.push(data.subarray(from, at));
				held = Buffer.from(data.subarray(at));
				return;
			}
			if (read?.verdict !== 'pass') {
				out.push(data.subarray(from, at), isOpen ? ST : NONE);
				// What is still nothing after so many bytes goes without its ESC, so that it never becomes anything.
				from = read?.end ?? at + 1;
			}
			if (read && !read.whole) {
				inside = read;
				const { end } = stringEnd(data, read.end, read.endsWithBell);
				if (read.verdict === 'pass') out.push(data.subarray(from, end));
				held = data.subarray(end);
				return;
			}
			isOpen = read?.verdict === 'pass' && read.isCutOff;
			done = read?.end ?? at + 1;
		}
		const end = wholeCharacters(data, from);
		if (end > done) isOpen = mayGoOn(data[end - 1]);
		out.push(data.subarray(from, end));
		held = data.subarray(end);
	}

	return {
		push,
		cancel() {
			if (inside?.verdict !== 'pass') return NONE;
			inside = { ...inside, verdict: 'drop' };
			return CAN;
		},
		flush() {
			// Whatever is written to that terminal next would end what is under way, and so carry it out.
			const read = inside ?? (introducersOf(held)(0) === 0 ? readSequence(held, 0) : undefined);
			const rest = read?.verdict === 'drop' ? NONE : held;
			held = NONE;
			return rest;
		},
	};
}

/** Where the next ESC or C1 control stands; each byte is looked at once, however many there are. */
function introducersOf(data: Buffer): (from: number) => number {
	let esc = data.indexOf(0x1b);
	let c1 = nextC1(data, 0);
	return (from) => {
		if (esc >= 0 && esc < from) esc = data.indexOf(0x1b, from);
		if (c1 >= 0 && c1 < from) c1 = nextC1(data, from);
		return esc >= 0 && c1 >= 0 ? Math.min(esc, c1) : Math.max(esc, c1);
	};
}

/** As UTF-8 it begins with 0xc2. */
function nextC1(data: Buffer, from: number): number {
	let at = data.indexOf(0xc2, from);
	while (at >= 0 && !isC1Control(0xc2, data[at + 1])) at = data.indexOf(0xc2, at + 1);
	return at;
}

/** Half a character and a control after it can become something else together. */
function mayGoOn(byte = 0): boolean {
	return byte >= 0x80;
}

/** Where the last whole character ends; what is no UTF-8 at all counts as whole. */
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
