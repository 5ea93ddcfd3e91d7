// Reads one escape sequence as terminals do: where it ends, and whether it may pass.

export type ReadSequence = {
	/** False if its end is not known yet; the search continues at `end`. */
	whole: boolean;
	end: number;
	verdict: 'pass' | 'drop';
	endsWithBell: boolean;
	/** It is ended by what follows it. */
	isCutOff: boolean;
};

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

/** By the byte after ESC, and by the equivalent C1 control. */
const STRINGS = new Map([
	...[93, 157].map((byte) => [byte, 'osc'] as const),
	...[80, 144].map((byte) => [byte, 'dcs'] as const),
	...[88, 152, 94, 158, 95, 159].map((byte) => [byte, 'other'] as const),
]);

/** Undefined if more bytes are needed to tell. */
export function readSequence(data: Buffer, at: number): ReadSequence | undefined {
	const isC1 = data[at] !== ESC;
	const first = isC1 ? at + 1 : skip(data, at + 1, isControl);
	const kindAt = isC1 ? first : skip(data, first, isPassedOver);
	const kind = data[kindAt];
	if (kind === undefined) return undefined;
	if (isC1 && kind < 0x90) return passed(kindAt + 1);
	const string = STRINGS.get(kind);
	if (string) return readString(data, kindAt + 1, string);
	// In most terminals a non-ASCII character ends the sequence.
	if (kindAt > first) return cutOff(first);
	if (kind === 0x5b || kind === 0x9b) return readUntilFinal(data, kindAt + 1, 0x40);
	if (kind >= 0x20 && kind <= 0x2f) return readUntilFinal(data, kindAt + 1, 0x30);
	// Another introducer starts a new sequence; anything else ends this one.
	return kind === ESC || (!isC1 && kind >= 0x80) ? cutOff(kindAt) : passed(kindAt + 1);
}

function skip(data: Buffer, from: number, skips: (byte: number, next: number | undefined) => boolean): number {
	let at = from;
	while (at < data.length && skips(data[at] ?? 0, data[at + 1])) at++;
	return at;
}

/** Some terminals ignore invalid UTF-8 or non-ASCII bytes inside a sequence. A C1 control ends it. */
function isPassedOver(byte: number, next: number | undefined): boolean {
	return isControl(byte) || (byte >= 0x80 && !isC1Control(byte, next));
}

/** Encoded as UTF-8. */
export function isC1Control(byte: number, next: number | undefined): boolean {
	return byte === 0xc2 && next !== undefined && next >= 0x80 && next <= 0x9f;
}

/** Terminals execute a control inside a sequence and stay in the sequence. */
function isControl(byte: number): boolean {
	return (byte < 0x20 && byte !== ESC && byte !== CAN && byte !== SUB) || byte === 0x7f;
}

function readUntilFinal(data: Buffer, from: number, firstFinal: number): ReadSequence {
	for (let at = from; at < data.length; at++) {
		const byte = data[at] ?? 0;
		if (byte === ESC || byte >= 0x80) return cutOff(at);
		if (byte === CAN || byte === SUB || (byte >= firstFinal && byte <= 0x7e)) return passed(at + 1);
	}
	return { ...passed(data.length), whole: false };
}

function readString(data: Buffer, from: number, kind: 'osc' | 'dcs' | 'other'): ReadSequence {
	const { contentEnd, end, done } = stringEnd(data, from, kind === 'osc');
	const seen = Math.min(contentEnd, from + MOST_JUDGED);
	const content = `${data.toString('latin1', from, seen)}${seen < contentEnd ? '…' : ''}`;
	const verdict = judge(kind, content);
	return { whole: done, end: done ? end : from, verdict, endsWithBell: kind === 'osc', isCutOff: contentEnd === end };
}

/** Enough to classify a string; longer links are dropped. */
const MOST_JUDGED = 4_096;

/** Not `done`: incomplete from `end` on. */
type StringEnd = { contentEnd: number; end: number; done: boolean };

export function stringEnd(data: Buffer, from: number, endsWithBell: boolean): StringEnd {
	for (let at = from; at < data.length; at++) {
		const byte = data[at] ?? 0;
		if (byte === CAN || byte === SUB || (byte === BEL && endsWithBell)) return { contentEnd: at, end: at + 1, done: true };
		const next = data[at + 1];
		if (byte === ESC || byte === 0xc2) {
			if (next === undefined) return { contentEnd: at, end: at, done: false };
			const isTerminator = byte === ESC ? next === 0x5c : next === 0x9c;
			if (isTerminator) return { contentEnd: at, end: at + 2, done: true };
			// ESC and every C1 control also end a string, and start another sequence.
			if (byte === ESC || isC1Control(byte, next)) return { contentEnd: at, end: at, done: true };
		}
	}
	return { contentEnd: data.length, end: data.length, done: false };
}

/** Drops clipboard access, wrappers for an outer terminal, and links to anything but the web. */
function judge(kind: 'osc' | 'dcs' | 'other', content: string): 'pass' | 'drop' {
	if (kind === 'other') return 'pass';
	// Before the first letter are parameters and ignored bytes.
	if (kind === 'dcs') return /^[^@-~]*tmux;/.test(content) ? 'drop' : 'pass';
	const command = COMMAND.exec(content);
	if (!command) return 'drop';
	switch (Number(command[1])) {
		case 52:
		case 5522:
			return 'drop';
		case 50:
		case 1337:
			return REACHING.test(content.replaceAll(/[^!-~]/g, '')) ? 'drop' : 'pass';
		case 8:
			return LINK.test(content) ? 'pass' : 'drop';
		default:
			return 'pass';
	}
}

/** A number or a letter. Terminals skip controls and invalid UTF-8 here, so 5<NUL>2 is 52: only plain numbers pass. */
const COMMAND = /^(?:(\d{0,5})(?:;|$)|[a-z])/i;
const REACHING = /^\d+;(Copy|EndCopy|RequestUpload|ReportVariable)/i;
/** An empty address ends a link. */
const LINK = /^\d+;[ -:<-~]*;(?:https?:\/\/|$)/i;

function passed(end: number): ReadSequence {
	return { whole: true, end, verdict: 'pass', endsWithBell: false, isCutOff: false };
}

function cutOff(end: number): ReadSequence {
	return { ...passed(end), isCutOff: true };
}
