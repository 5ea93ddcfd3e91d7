// The screen of a terminal in the page, and the same one as the runner has it, letter by letter.
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { runInPage } from '../api/chromium.ts';
import { openRawTerminal } from '../api/raw-terminal.ts';
import type { ReachedRunner } from '../runner/runner-rig.ts';
import { createVirtualTerminal, type Style } from '../terminal/virtual-terminal.ts';
import { waitFor } from '../wait-for.ts';

type Reached = Pick<ReachedRunner, 'port' | 'bearer'>;

/** Colours are places in the palette; null is the default colour. */
type Letter = { text: string; fg: number | null | 'set'; bg: number | null | 'set'; bold: boolean; underline: boolean };

/** Waits until both are the same, and returns the text of the lines. */
export async function waitForSameScreen(page: Page, roost: Reached, id: string): Promise<string[]> {
	let difference: unknown;
	return await waitFor(
		async () => {
			const [shown, expected] = [await readPageScreen(page), await readRunnerScreen(roost, id)];
			const at = expected.findIndex((line, row) => !isSameLine(shown[row] ?? [], line));
			difference = [at, shown.length, expected.length, shown[at], expected[at]];
			const isSame = at < 0 && shown.length === expected.length;
			return isSame ? shown.map((line) => line.map(({ text }) => text).join('')) : undefined;
		},
		{ what: 'the same screen in the page and the runner', seen: () => difference },
	);
}

const spans = z.array(
	z.array(z.object({ text: z.string(), classes: z.array(z.string()), colours: z.tuple([z.string(), z.string()]) })),
);

export async function readPageScreen(page: Page): Promise<Letter[][]> {
	const read = `const read = (span) => ({
			text: span.textContent, classes: [...span.classList], colours: [span.style.color, span.style.backgroundColor] });
		return [...document.querySelectorAll('.xterm-rows > div')].map((row) => [...row.querySelectorAll('span')].map(read));`;
	return spans.parse(await runInPage(page, read)).map((row) =>
		trimmed(
			row.flatMap(({ text, classes, colours }) => {
				const has = (name: string) => classes.some((one) => one.startsWith(`xterm-${name}`));
				const colour = (name: string, isSet: boolean): Letter['fg'] => (isSet ? 'set' : numberIn(classes, `xterm-${name}-`));
				const style = { fg: colour('fg', colours[0] !== ''), bg: colour('bg', colours[1] !== '') };
				return letters(text, { ...style, bold: has('bold'), underline: has('underline') });
			}),
		),
	);
}

function numberIn(classes: readonly string[], start: string): number | null {
	const found = classes.find((one) => one.startsWith(start));
	return found === undefined ? null : Number(found.slice(start.length));
}

/** As a snapshot of the runner draws it. */
async function readRunnerScreen({ port, bearer }: Reached, id: string): Promise<Letter[][]> {
	await using viewer = await openRawTerminal({ port, id, headers: bearer, attach: { want: 'view', scrollback: 0 } });
	const { cols, rows, bytes } = await viewer.frame('snapshot');
	await waitFor(() => (viewer.size() >= bytes ? true : undefined), { what: 'the whole snapshot' });
	using terminal = createVirtualTerminal({ columns: cols, rows });
	terminal.write(viewer.bytes().subarray(0, bytes).toString());
	await terminal.settled();
	return terminal.styledScreen().map((line) => trimmed(line.flatMap(({ text, style }) => letters(text, drawn(style)))));
}

/** What xterm calls the default colour where it is inverted. */
const INVERTED = 257;

/** Inverse colours are swapped, and bold ones of the first eight are bright. */
function drawn({ foreground, background, bold, inverse, underline }: Style): Omit<Letter, 'text'> {
	const [fg, bg] = inverse ? [background ?? INVERTED, foreground ?? INVERTED] : [foreground, background];
	const bright = bold && typeof fg === 'number' && fg < 8 ? fg + 8 : fg;
	return { fg: typeof bright === 'string' ? 'set' : bright, bg: typeof bg === 'string' ? 'set' : bg, bold, underline };
}

function letters(text: string, style: Omit<Letter, 'text'>): Letter[] {
	return [...text.replaceAll('\u00a0', ' ')].map((letter) => ({ text: letter, ...style }));
}

function trimmed(line: readonly Letter[]): Letter[] {
	return line.slice(0, line.findLastIndex(({ text, bg, underline }) => text !== ' ' || bg !== null || underline) + 1);
}

/** The page sets a colour itself where the contrast was too low. */
function isSameLine(shown: readonly Letter[], expected: readonly Letter[]): boolean {
	return (
		shown.length === expected.length &&
		shown.every(({ fg, ...letter }, at) => {
			const { fg: wanted, ...other } = expected[at] ?? { fg: null };
			const isSameColour = fg === wanted || fg === 'set' || letter.text === ' ';
			return isSameColour && JSON.stringify(letter) === JSON.stringify(other);
		})
	);
}
