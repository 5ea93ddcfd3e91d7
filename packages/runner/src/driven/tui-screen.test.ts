import { describe, expect, it } from 'vitest';
import { isStillThere, screenEnd, toPasteable, whatWasWritten } from './tui-screen.ts';

const READY = ['agent 1.0', '────', '> ', '────', '? for help'].join('\n');

describe('text written to a screen', () => {
	it('is found in the rows that contain it, and is present while these rows stay', () => {
		const shown = READY.replace('> ', '> mend it').replace('? for help', 'enter to send');
		const written = whatWasWritten(READY, shown, 'mend it');
		expect([...written]).toEqual([[2, '> mend it']]);
		expect(isStillThere(written, shown.replace('enter to send', '? for help'))).toBe(true);
		expect(isStillThere(written, READY)).toBe(false);
		expect(isStillThere(written, `> mend it\n\ndone\n${READY}`)).toBe(false);
	});

	it('is any change if the program shows a placeholder', () => {
		const written = whatWasWritten(READY, READY.replace('> ', '> [3 lines]'), 'one\ntwo\nthree');
		expect([...written]).toEqual([[2, '> [3 lines]']]);
	});

	it('excludes animations', () => {
		const [open, shut] = ['█ ▘▝ █ agent', '█ ╴╶ █ agent'];
		const written = whatWasWritten(`${open}\n${READY}`, `${shut}\n${READY.replace('> ', '> [3 lines]')}`, 'one\ntwo\nthree');
		expect([...written]).toEqual([[3, '> [3 lines]']]);
		expect([...whatWasWritten(`${open}\n> `, `${open}\n> 42`, '42')]).toEqual([[1, '> 42']]);
	});

	it('is empty if nothing changed', () => {
		expect(whatWasWritten(READY, READY, 'mend it').size).toBe(0);
	});
});

describe('end of a screen', () => {
	it('consists of the last lines with text', () => {
		expect(screenEnd('one\ntwo\n────────\n   three\n\n\n', 2)).toBe('two / three');
		expect(screenEnd('\n ─────── \n')).toBe('');
	});
});

describe('text to paste', () => {
	it('keeps its lines and letters but no control characters', () => {
		expect(toPasteable('a\r\nb\rc\td 漢\u001b[201~\u0003\u009b\n')).toBe('a\nb\nc\td 漢[201~');
		expect(toPasteable(' \u001b\n ')).toBeNull();
	});
});
