// One escape sequence at the place where it begins, read as terminals read it: where it ends, and whether it may pass.

export type ReadSequence = {
	/** False where more has to come before its end is known; then `end` means nothing. */
	whole: boolean;
	end: number;
	verdict: 'pass' | 'drop';
	/** Whether a bell would end it. */
	endsWithBell: boolean;
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

export function readSequence(data: Buffer, at: number): ReadSequence {
	const isC1 = data[at] !== ESC;
	const kindAt = isC1 ? at + 1 : skipControls(data, at + 1);
	const kind = data[kindAt];
	if (kind === undefined) return partial('pass', false);
	if (isC1 && kind < 0x90) return passed(kindAt + 1);
	const string = STRINGS[kind];
	if (string) return readString(data, kindAt + 1, string);
	if (kind === 0x5b || kind === 0x9b) return readUntilFinal(data, kindAt + 1, 0x40);
	if (kind >= 0x20 && kind <= 0x2f) return readUntilFinal(data, kindAt + 1, 0x30);
	// Another introducer begins anew; whatever else stands here ends the sequence.
	return passed(kind === ESC || (!isC1 && kind >= 0x80) ? kindAt : kindAt + 1);
}

/** Terminals carry out a control that stands inside a sequence, and stay in the sequence. */
function skipControls(data: Buffer, from: number): number {
	let at = from;
	while (at < data.length && isControl(data[at] ?? 0)) at++;
	return at;
}

function isControl(byte: number): boolean {
	return (byte < 0x20 && byte !== ESC && byte !== CAN && byte !== SUB) || byte === 0x7f;
}

function readUntilFinal(data: Buffer, from: number, firstFinal: number): ReadSequence {
	for (let at = from; at < data.length; at++) {
		const byte = data[at] ?? 0;
		if (byte === ESC || byte >= 0x80) return passed(at);
		if (byte === CAN || byte === SUB || (byte >= firstFinal && byte <= 0x7e)) return passed(at + 1);
	}
	return partial('pass', false);
}

function readString(data: Buffer, from: number, kind: 'osc' | 'dcs' | 'other'): ReadSequence {
	const { end, done } = stringEnd(data, from, kind === 'osc');
	const verdict = kind === 'other' ? 'pass' : judge(kind, data.toString('latin1', from, Math.min(end, from + MOST_JUDGED)));
	return done ? { ...passed(end), verdict } : partial(verdict, kind === 'osc');
}

/** Enough to see what a string is about; a longer link is none. */
const MOST_JUDGED = 4_096;

/** Where a string ends, terminator included; not `done`: from `end` on more has to come. */
export function stringEnd(data: Buffer, from: number, endsWithBell: boolean): { end: number; done: boolean } {
	for (let at = from; at < data.length; at++) {
		const byte = data[at] ?? 0;
		if (byte === CAN || byte === SUB || (byte === BEL && endsWithBell)) return { end: at + 1, done: true };
		const next = data[at + 1];
		if (byte === ESC || byte === 0xc2) {
			if (next === undefined) return { end: at, done: false };
			const isTerminator = byte === ESC ? next === 0x5c : next === 0x9c;
			if (isTerminator) return { end: at + 2, done: true };
			// ESC and every C1 control end a string too, and begin something of their own.
			if (byte === ESC || (next >= 0x80 && next <= 0x9f)) return { end: at, done: true };
		}
	}
	return { end: data.length, done: false };
}

/** The clipboard in all its spellings, wrappers that hand their content to an outer terminal, and links out of the web. */
function judge(kind: 'osc' | 'dcs', text: string): 'pass' | 'drop' {
	if (kind === 'dcs') return text.startsWith('tmux;') ? 'drop' : 'pass';
	const command = /^0*(\d+)(?:;|$|\p{Cc})/u.exec(text)?.[1];
	if (command === '52' || command === '5522') return 'drop';
	if (command === '1337') return /^0*1337;\s*(Copy|EndCopy|RequestUpload|ReportVariable)/i.test(text) ? 'drop' : 'pass';
	if (command === '8') return /^0*8;[^;]*;(https?:\/\/|\u00c2?\p{Cc})/iu.test(text) ? 'pass' : 'drop';
	return 'pass';
}

function passed(end: number): ReadSequence {
	return { whole: true, end, verdict: 'pass', endsWithBell: false };
}

function partial(verdict: 'pass' | 'drop', endsWithBell: boolean): ReadSequence {
	return { whole: false, end: 0, verdict, endsWithBell };
}
