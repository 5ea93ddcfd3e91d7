// A terminal of the runner in Chromium: the echo of a key against a plain PTY, a flood against bare xterm in the same page,
// Ctrl-C during a flood, and what a tab that stopped costs the runner.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalId } from '@roost/protocol/ids';
import { type Chromium, runInPage, startChromium } from '@roost/testkit/rigs/api/chromium';
import { reachRoost } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { openBarePty } from '@roost/testkit/rigs/terminal/bare-pty';
import { DESK, type OpenedPage, openPage } from '@roost/testkit/rigs/web/open-page';
import { z } from 'zod';
import type { BenchRow } from './bench-row.ts';
import { echo, listen } from './terminal-keys.ts';
import { SHELL_ENV, startTerminalRunner, type TerminalRunner } from './terminal-process.ts';
import { quantile } from './timing.ts';

type Page = OpenedPage['page'];

const KEYS = 200;
const MEGABYTES = 16;
const ROUNDS = 3;
const INTERRUPTS = 5;
const LINE = 78;

/** In the page: typing as an input method does, and waiting for words on the screen. */
const IN_PAGE = `
	const textarea = document.querySelector('.xterm-helper-textarea');
	const type = (keys) => textarea.dispatchEvent(new InputEvent('input', { data: keys, inputType: 'insertText', bubbles: true }));
	const rows = document.querySelector('.xterm-rows');
	const shows = (words) => new Promise((resolve) => {
		const look = () => (rows.textContent.includes(words) ? resolve() : requestAnimationFrame(look));
		look();
	});
`;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startTerminalRunner(home.path);
	await using chromium = await startChromium({ windows: true });
	const { page, id } = await openTerminal(chromium, runner, home.path);
	return [
		...(await measureEcho(page, home.path)),
		await measureFlood(page),
		await measureInterrupt(page),
		await measureStopped(page, runner, id, home.path),
	];
}

/** Without the policy, so that bare xterm can run in the same page. */
async function openTerminal(chromium: Chromium, runner: TerminalRunner, home: string) {
	const { id } = await runner.openShell();
	const { page, go } = await openPage(chromium, await reachRoost(home), { ...DESK, bypassCSP: true });
	await go(`/t/${id}`);
	await page.waitForSelector('[data-holder="you"] .xterm-rows > div:has-text("ready>")');
	return { page, id };
}

/** Until xterm has read it: it moves its textarea to the cursor. */
async function measureEcho(page: Page, home: string): Promise<BenchRow[]> {
	using bare = openBarePty(home, SHELL_ENV);
	const typing = listen(bare);
	const floor: number[] = [];
	for (let key = 0; key < KEYS; key++) {
		// Output of the shell's start would count as an echo.
		await delay(2);
		floor.push(await echo(typing));
	}
	const measured = await runInPage(
		page,
		`${IN_PAGE}
		const times = [];
		for (let key = 0; key < ${KEYS}; key++) {
			await new Promise((resolve) => setTimeout(resolve, 2));
			// At the end of a line the cursor does not move, so the line is cleared before.
			if (key % 40 === 39) {
				type('\\x15');
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
			const echoed = new Promise((resolve) => {
				const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
				observer.observe(textarea, { attributeFilter: ['style'] });
			});
			const before = Number.parseFloat(textarea.style.left);
			const started = performance.now();
			type('k');
			await echoed;
			times.push(performance.now() - started);
			const moved = Number.parseFloat(textarea.style.left) - before;
			if (!(moved > 0 && moved < 12)) throw new Error('the cursor moved by ' + moved + ' px, not by one letter');
		}
		return times;`,
	);
	const value = z.array(z.number()).parse(measured);
	return [
		{ share: 0.5, most: 5 },
		{ share: 0.99, most: 30 },
	].map(({ share, most }) => {
		const [floorMs, ms] = [quantile(floor, share), quantile(value, share)];
		return {
			bar: `keystroke echo in the browser, p${share * 100}`,
			floor: 'the same key in a plain PTY',
			floorValue: floorMs,
			value: ms,
			unit: 'ms',
			ratio: ms / floorMs,
			added: ms - floorMs,
			target: `<= ${most} ms more`,
			met: ms - floorMs <= most,
		};
	});
}

async function measureFlood(page: Page): Promise<BenchRow> {
	// Its own file, because the page exports nothing.
	const xterm = readFileSync(createRequire(import.meta.url).resolve('@xterm/xterm'), 'utf8');
	await runInPage(page, `${xterm}\n`);
	const floors: number[] = [];
	const values: number[] = [];
	// The first round is a warm-up.
	for (let round = 0; round <= ROUNDS; round++) {
		const floor = await seconds(page, BARE_FLOOD);
		const value = await seconds(page, toFlood(round));
		if (round === 0) continue;
		floors.push(MEGABYTES / floor);
		values.push(MEGABYTES / value);
	}
	const [floorValue, value] = [quantile(floors, 0.5), quantile(values, 0.5)];
	return {
		bar: 'flood in the browser',
		floor: 'the same text written to bare xterm in the same page',
		floorValue,
		value,
		unit: 'MB/s',
		ratio: value / floorValue,
		target: '>= 6 MB/s',
		met: value >= 6,
	};
}

/** Handed over at once: waiting for each piece would wait for a timer of xterm. */
const BARE_FLOOD = `
	const place = document.body.appendChild(document.createElement('div'));
	const bare = new Terminal({ cols: 120, rows: 40, scrollback: 10_000 });
	bare.open(place);
	const piece = new TextEncoder().encode(('x'.repeat(${LINE}) + '\\r\\n').repeat(800));
	const started = performance.now();
	for (let sent = 0; sent < ${MEGABYTES}e6; sent += piece.length) bare.write(piece);
	await new Promise((resolve) => bare.write('', resolve));
	const took = performance.now() - started;
	bare.dispose();
	place.remove();
	return took / 1_000;`;

/** Ends with a line `<name>-2`, which does not appear in the echoed command. */
function floodCommand(name: string): string {
	return `head -c ${MEGABYTES}000000 /dev/zero | tr '\\0' x | fold -w ${LINE}; echo ${name}-$((1 + 1))`;
}

function toFlood(round: number): string {
	return `${IN_PAGE}
		// What is left of an earlier line.
		type('\\x15');
		const started = performance.now();
		type(${JSON.stringify(`${floodCommand(`all${round}`)}\r`)});
		await shows('all${round}-2');
		return (performance.now() - started) / 1_000;`;
}

async function measureInterrupt(page: Page): Promise<BenchRow> {
	const times: number[] = [];
	for (let round = 0; round < INTERRUPTS; round++) {
		const interrupt = `${IN_PAGE}
			type('yes flood${round}\\r');
			while (rows.textContent.split('flood${round}').length < 20) await new Promise(requestAnimationFrame);
			await new Promise((resolve) => setTimeout(resolve, 500));
			const started = performance.now();
			type('\\x03echo back${round}-$((1 + 1))\\r');
			await shows('back${round}-2');
			return (performance.now() - started) / 1_000;`;
		times.push((await seconds(page, interrupt)) * 1_000);
	}
	const value = quantile(times, 0.5);
	return {
		bar: 'Ctrl-C in a flood in the browser, until the next command responds',
		floor: 'perceived as immediate',
		floorValue: 250,
		value,
		unit: 'ms',
		ratio: value / 250,
		target: '<= 250 ms',
		met: value <= 250,
	};
}

/** Beside a fast client, so that the flood is not paused. */
async function measureStopped(page: Page, runner: TerminalRunner, id: TerminalId, home: string): Promise<BenchRow> {
	await using quick = await runner.attach({ id }, { want: 'view' });
	await quick.frame('snapshot');
	const debug = await page.context().newCDPSession(page);
	await debug.send('Debugger.enable');
	await runInPage(
		page,
		`${IN_PAGE} type(${JSON.stringify(`until [ -e go ]; do sleep 0.1; done; ${floodCommand('stopped')}\r`)});`,
	);
	await quick.shows('until');
	const before = runner.memory();
	await debug.send('Debugger.pause');
	await writeFile(join(home, 'go'), '');
	await quick.shows('stopped-2');
	const after = runner.memory();
	await debug.send('Debugger.resume');
	return {
		bar: 'a browser tab that stopped during a flood',
		floor: 'the runner before the flood',
		floorValue: before,
		value: after - before,
		unit: 'MB',
		ratio: after / before,
		target: '<= 32 MB more',
		met: after - before <= 32,
	};
}

async function seconds(page: Page, script: string): Promise<number> {
	return z.number().parse(await runInPage(page, script));
}
