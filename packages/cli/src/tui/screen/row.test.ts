import { createVirtualTerminal } from '@roost/testkit/rigs/terminal/virtual-terminal';
import { describe, expect, it } from 'vitest';
import { type Row, row, selectRow, span, spread, toLine, unselectRow } from './row.ts';
import { createStyles } from './styles.ts';
import { widthOf } from './text.ts';

const STYLES = createStyles({ theme: 'dark', colour: true, ascii: false });
const WIDTH = 40;

/** The test terminal measures these as narrower or wider than specified, as real terminals do. */
const DISPUTED = [
	'a \u26a0\ufe0f warning',
	'1\ufe0f\u20e3 first',
	'\u{1f44d}\u{1f3fd} yes',
	'\u{1f469}\u200d\u{1f680}',
	'pl\u0e01\u0e33',
];

describe('right-aligned text', () => {
	it.each(DISPUTED)('stays at the right edge after %s', async (text) => {
		expect(await columnOf('9.9s', edged(text))).toBe(WIDTH - 4);
		expect(await columnOf('9.9s', unselectRow(selectRow(edged(text))))).toBe(WIDTH - 4);
	});

	it('stays at the right edge in a part of the screen with an offset', async () => {
		expect(await columnOf('9.9s', edged('\u26a0\ufe0f careful'), 20)).toBe(20 + WIDTH - 4);
	});

	it('adds no control sequences after plain text', () => {
		const plain = edged('all is well');
		expect(toLine(plain, WIDTH, STYLES)).toBe(`all is well${' '.repeat(WIDTH - 15)}9.9s`);
	});

	it('is included in the width of the line', () => {
		for (const text of DISPUTED) expect(widthOf(toLine(edged(text), WIDTH, STYLES)), text).toBe(WIDTH);
	});
});

function edged(text: string): Row {
	return spread(row(text), [span('9.9s')], WIDTH, STYLES);
}

async function columnOf(words: string, line: Row, from = 0): Promise<number | undefined> {
	using terminal = createVirtualTerminal({ columns: 80, rows: 2 });
	terminal.write(`\x1b[1;${from + 1}H${toLine(line, WIDTH, STYLES, from)}`);
	await terminal.settled();
	const pieces = (terminal.styledScreen()[0] ?? []).flatMap(({ text, column }) =>
		text.includes(words) ? [column + text.indexOf(words)] : [],
	);
	return pieces[0];
}
