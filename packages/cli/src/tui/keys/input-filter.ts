// Filters terminal input that is no key: reports the mouse wheel, drops clicks and unrequested replies.

type Wheel = 'wheel-up' | 'wheel-down';

/** Returns the part for the keyboard. Sequences may be split between two pieces. */
type InputFilter = (piece: string) => string;

const ESC = '\x1b';
const PASTE_BEGIN = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
const MOUSE = new RegExp(`^${ESC}\\[<(\\d{1,5});\\d{1,5};\\d{1,5}([Mm])`);
const MOUSE_BEGUN = new RegExp(`^${ESC}\\[<[\\d;]{0,17}$`);
/** Colours, clipboard, version: strings that end in BEL or ST. */
const STRING = `^${ESC}(?:\\]\\d|P[\\d>+!]|_G)[^\\u0007${ESC}]*`;
const ANSWER = new RegExp(`${STRING}(?:\\u0007|${ESC}\\\\)`);
const ANSWER_BEGUN = new RegExp(`${STRING}${ESC}?$`);
/** A key of its own, or the start of a longer sequence: it cannot wait. */
const AMBIGUOUS = [ESC, `${ESC}[`, `${ESC}]`, `${ESC}P`, `${ESC}_`];
const LONGEST = 100_000;

/** Length, and the part for the keyboard; null if more input is needed. */
type Taken = { length: number; passed: string } | null;

export function createInputFilter(onWheel: (wheel: Wheel) => void): InputFilter {
	let held = '';
	/** The start of a sequence that was already passed on, because it might have been the Escape key. */
	let gone = '';
	let pasting = false;

	function take(rest: string): Taken {
		if (pasting) return takePasted(rest);
		if (gone !== '') return finishGone(gone + rest);
		if (!rest.startsWith(ESC)) return pass(rest, untilEscape(rest));
		const mouse = MOUSE.exec(rest);
		if (mouse) return drop(reportWheel(mouse, onWheel));
		const answer = ANSWER.exec(rest);
		if (answer) return drop(answer[0].length);
		if (isBegun(rest)) return null;
		pasting = rest.startsWith(PASTE_BEGIN);
		if (AMBIGUOUS.includes(rest)) gone = rest;
		return pass(rest, pasting ? PASTE_BEGIN.length : Math.max(1, gone.length));
	}

	/** The keyboard drops the rest of a mouse sequence by itself, and needs the rest of all others. */
	function finishGone(whole: string): Taken {
		if (isBegun(whole)) return null;
		const before = gone.length;
		const answer = ANSWER.exec(whole);
		const mouse = MOUSE.exec(whole);
		pasting = whole.startsWith(PASTE_BEGIN);
		gone = AMBIGUOUS.includes(whole) ? whole : '';
		if (answer) return drop(answer[0].length - before);
		if (mouse) return pass(whole.slice(before), reportWheel(mouse, onWheel) - before);
		return pass(whole.slice(before), pasting ? PASTE_BEGIN.length - before : gone.length > 0 ? 1 : 0);
	}

	function takePasted(rest: string): Taken {
		const end = rest.indexOf(PASTE_END);
		pasting = end < 0;
		if (end >= 0) return pass(rest, end + PASTE_END.length);
		const last = rest.lastIndexOf(ESC);
		const whole = last >= 0 && PASTE_END.startsWith(rest.slice(last)) ? last : rest.length;
		return whole === 0 ? null : pass(rest, whole);
	}

	return (piece) => {
		const text = held + piece;
		held = '';
		let at = 0;
		let passed = '';
		while (at < text.length) {
			const taken = take(text.slice(at));
			if (!taken) {
				held = text.slice(at);
				break;
			}
			passed += taken.passed;
			at += taken.length;
		}
		return passed;
	};
}

function pass(rest: string, length: number): Taken {
	return { length, passed: rest.slice(0, length) };
}

function drop(length: number): Taken {
	return { length, passed: '' };
}

function untilEscape(text: string): number {
	const found = text.indexOf(ESC);
	return found < 0 ? text.length : found;
}

function reportWheel([all, button, kind]: RegExpExecArray, onWheel: (wheel: Wheel) => void): number {
	if (kind === 'M' && button === '64') onWheel('wheel-up');
	if (kind === 'M' && button === '65') onWheel('wheel-down');
	return all.length;
}

/** Unambiguous incomplete sequences; a lone Escape and `ESC [` are not. */
function isBegun(rest: string): boolean {
	if (rest.length > 2 && PASTE_BEGIN.startsWith(rest) && rest !== PASTE_BEGIN) return true;
	return MOUSE_BEGUN.test(rest) || (rest.length < LONGEST && ANSWER_BEGUN.test(rest));
}
