// One escape sequence at the place where it begins, read as terminals read it: where it ends, and whether it may pass.

export type ReadSequence = {
	/** False where more has to come before its end is known; then that is looked for from `end` on. */
	whole: boolean;
	end: number;
	verdict: 'pass' | 'drop';
	/** Whether a bell would end it. */
	endsWithBell: boolean;
	/** It has no end of its own: what comes after it ends it. */
	isCutOff: boolean;
};

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

/** By the byte after ESC, and by the C1 control that means the same. */
const STRINGS: Record<number, 'osc' | 'dcs' | 'other'> = {
	93: 'osc',
	157: 'osc',
	80: 'dcs',
	144: 'dcs',
	88: 'other',
	152: 'other',
	94: 'other',
	158: 'other',
	95: 'other',
	159: 'other',
};

/** Undefined where it is not known yet what begins here. */
export function readSequence(data: Buffer, at: number): ReadSequence | undefined {
	const isC1 = data[at] !== ESC;
	const first = isC1 ? at + 1 : skip(data, at + 1, isControl);
	const kindAt = isC1 ? first : skip(data, first, isPassedOver);
	const kind = data[kindAt];
	if (kind === undefined) return undefined;
	if (isC1 && kind < 0x90) return passed(kindAt + 1);
	const string = STRINGS[kind];
	if (string) return readString(data, kindAt + 1, string);
	// For most terminals a letter that is not ASCII ends the sequence.
	if (kindAt > first) return cutOff(first);
	if (kind === 0x5b || kind === 0x9b) return readUntilFinal(data, kindAt + 1, 0x40);
	if (kind >= 0x20 && kind <= 0x2f) return readUntilFinal(data, kindAt + 1, 0x30);
	// Another introducer begins anew; whatever else stands here ends the sequence.
	return kind === ESC || (!isC1 && kind >= 0x80) ? cutOff(kindAt) : passed(kindAt + 1);
}

function skip(data: Buffer, from: number, skips: (byte: number, next: number | undefined) => boolean): number {
	let at = from;
	while (at < data.length && skips(data[at] ?? 0, data[at + 1])) at++;
	return at;
}

/** Some terminals stay in a sequence at what is no letter to them: broken UTF-8, or all that is not ASCII. A C1 control ends it. */
function isPassedOver(byte: number, next: number | undefined): boolean {
	return isControl(byte) || (byte >= 0x80 && !isC1Control(byte, next));
}

/** As UTF-8. */
export function isC1Control(byte: number, next: number | undefined): boolean {
	return byte === 0xc2 && next !== undefined && next >= 0x80 && next <= 0x9f;
}

/** Terminals carry out a control that stands inside a sequence, and stay in the sequence. */
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

/** Enough to see what a string is about; a longer link is none. */
const MOST_JUDGED = 4_096;

/** Not `done`: from `end` on more has to come. */
type StringEnd = { contentEnd: number; end: number; done: boolean };

/** Where a string ends, terminator included. */
export function stringEnd(data: Buffer, from: number, endsWithBell: boolean): StringEnd {
	for (let at = from; at < data.length; at++) {
		const byte = data[at] ?? 0;
		if (byte === CAN || byte === SUB || (byte === BEL && endsWithBell)) return { contentEnd: at, end: at + 1, done: true };
		const next = data[at + 1];
		if (byte === ESC || byte === 0xc2) {
			if (next === undefined) return { contentEnd: at, end: at, done: false };
			const isTerminator = byte === ESC ? next === 0x5c : next === 0x9c;
			if (isTerminator) return { contentEnd: at, end: at + 2, done: true };
			// ESC and every C1 control end a string too, and begin something of their own.
			if (byte === ESC || isC1Control(byte, next)) return { contentEnd: at, end: at, done: true };
		}
	}
	return { contentEnd: data.length, end: data.length, done: false };
}

/** The clipboard in all its spellings, wrappers that hand their content to an outer terminal, and links out of the web. */
function judge(kind: 'osc' | 'dcs' | 'other', content: string): 'pass' | 'drop' {
	if (kind === 'other') return 'pass';
	// What comes before the first letter are parameters, and what terminals ignore.
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

/** A number, or a letter. Terminals leave out controls and broken UTF-8 here, so that 5<NUL>2 is 52: only a plain one passes. */
const COMMAND = /^(?:(\d{0,5})(?:;|$)|[a-z])/i;
const REACHING = /^\d+;(Copy|EndCopy|RequestUpload|ReportVariable)/i;
/** An empty one ends a link. */
const LINK = /^\d+;[ -:<-~]*;(?:https?:\/\/|$)/i;

function passed(end: number): ReadSequence {
	return { whole: true, end, verdict: 'pass', endsWithBell: false, isCutOff: false };
}

function cutOff(end: number): ReadSequence {
	return { ...passed(end), isCutOff: true };
}
