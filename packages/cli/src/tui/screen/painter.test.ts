import { join } from 'node:path';
import { inlineArgv } from '@roost/testkit/rigs/program';
import { openTuiInTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { createVirtualTerminal } from '@roost/testkit/rigs/terminal/virtual-terminal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, createPainter } from './painter.ts';

const COLUMNS = 12;
const ROWS = 6;

/** A terminal with old text and without line wrapping, and a painter on it that keeps its output. */
function paintOn() {
	const terminal = createVirtualTerminal({ columns: COLUMNS, rows: ROWS });
	terminal.write('\x1b[?7lold text\r\nof others\r\nand more\x1b[31;44m of it');
	const written: string[] = [];
	const painter = createPainter((bytes) => {
		written.push(bytes);
		terminal.write(bytes);
	});
	return { terminal, painter, written };
}

const character = fc.constantFrom('a', 'b', ' ', '漢', '\u{1f600}', 'é', '-');
const colour = fc.constantFrom('', '\x1b[31m', '\x1b[1;48;5;237m');
const line = fc.tuple(colour, fc.array(character, { maxLength: 6 })).map(([code, characters]) => {
	const text = characters.join('');
	return code === '' ? text : `${code}${text}\x1b[0m`;
});
const full = fc.constant('x'.repeat(COLUMNS));
const screen = fc.array(fc.oneof({ weight: 4, arbitrary: line }, full), { maxLength: ROWS - 1 });
const cursor: fc.Arbitrary<Cursor | undefined> = fc.option(fc.record({ line: fc.nat(ROWS - 1), column: fc.nat(COLUMNS - 1) }), {
	nil: undefined,
});

describe('painter', () => {
	it('shows exactly the new screen, whatever the previous content', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(screen, cursor), { minLength: 1, maxLength: 5 }), async (screens) => {
				const { terminal, painter } = paintOn();
				for (const [lines, at] of screens) {
					painter.paint(lines, at);
					await terminal.settled();
					using fresh = createVirtualTerminal({ columns: COLUMNS, rows: ROWS });
					fresh.write(lines.map((text, index) => `\x1b[${index + 1}H${text}`).join(''));
					await fresh.settled();
					expect(terminal.styledScreen()).toEqual(fresh.styledScreen());
					expect(terminal.cursor().shown).toBe(at !== undefined);
					if (at) expect(terminal.cursor()).toMatchObject(at);
				}
				terminal[Symbol.dispose]();
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 2_000 : 100 },
		);
	});

	it('blanks a used screen when there are no lines to paint', async () => {
		const { terminal, painter } = paintOn();
		painter.paint([]);
		await terminal.settled();
		expect(terminal.text()).toBe('\n');
		expect(terminal.cursor().shown).toBe(false);
	});

	it('keeps the last character of a full line in tmux', async () => {
		await using tui = await openTuiInTmux(
			inlineArgv(`
				import { createPainter } from ${JSON.stringify(join(import.meta.dirname, 'painter.ts'))};
				process.stdout.write('\\x1b[?7l');
				createPainter((bytes) => process.stdout.write(bytes)).paint(['x'.repeat(79) + 'Z', 'done']);
				process.stdin.resume();
			`),
		);
		await tui.waitForScreen(/done/);
		expect(tui.screen()[0]).toBe(`${'x'.repeat(79)}Z`);
	});

	it('writes nothing if nothing changed', () => {
		const { painter, written } = paintOn();
		painter.paint(['one', 'two'], { line: 1, column: 2 });
		painter.paint(['one', 'two'], { line: 1, column: 2 });
		expect(written).toHaveLength(1);
	});

	it('writes only changed lines, in a single write', () => {
		const { painter, written } = paintOn();
		painter.paint(['one', 'two', 'three']);
		painter.paint(['one', 'TWO', 'three']);
		expect(written[1]).toContain('TWO');
		expect(written[1]).not.toMatch(/one|three/);
		expect(written).toHaveLength(2);
	});

	it('never clears or scrolls the screen', async () => {
		const { terminal, painter, written } = paintOn();
		painter.paint(['1', '2', '3', '4', '5']);
		painter.resize({ columns: 9, rows: 4 });
		painter.paint(['1', '2', '3']);
		painter.forget();
		painter.paint(['1', '2', '3']);
		await terminal.settled();
		expect(written.join('')).not.toMatch(/\[[23]J/);
		expect(terminal.scrolledLines()).toBe(0);
	});

	it('repaints everything after a size change and after forgetting the previous screen', () => {
		const { painter, written } = paintOn();
		painter.resize({ columns: 80, rows: 24 });
		painter.paint(['one', 'two']);
		painter.resize({ columns: 80, rows: 24 });
		painter.paint(['one', 'two']);
		expect(written).toHaveLength(1);
		painter.resize({ columns: 81, rows: 24 });
		painter.paint(['one', 'two']);
		painter.forget();
		painter.paint(['one', 'two']);
		expect(written).toHaveLength(3);
		expect(written[2]).toMatch(/one.*two/s);
	});
});
