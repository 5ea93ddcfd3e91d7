// A terminal of a real runner in a real browser: real programs, viewers, lost connections, and hostile output.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectId } from '@roost/protocol/ids';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { openRawTerminal } from '../rigs/api/raw-terminal.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { DESK, openPage, PHONE } from '../rigs/web/open-page.ts';
import { waitForSameScreen } from '../rigs/web/terminal-screen.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';
const PROMPT = 'ready> ';
const SHELL = { SHELL: '/bin/bash', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
/** Colours of the palette, bright enough on a dark page; true colour; wide, combined and joined letters. */
const COLOURS = String.raw`for i in 9 46 87 123 159 195 202 208 214 220 226 231; do printf '\e[38;5;%dm c%d\e[0m' $i $i; done
printf '\n\e[1;31mbold\e[0m \e[4munder\e[0m \e[7minverse\e[0m \e[48;5;52mback\e[0m \e[38;2;255;120;0mtrue\e[0m\n'
printf '漢字 かな 😀 👍 é e\xcc\x81 ñ |\n'
`;
/** Redraws the alternate screen often, then waits. */
const REDRAWS = String.raw`printf '\e[?1049h\e[?25l'
for n in $(seq 1 60); do for row in $(seq 1 12); do printf "\e[%d;1H\e[48;5;%dm%3d%%\e[0m \e[38;5;%dmload %d\e[0m\e[K" $row $((n % 6 + 17)) $((n * row % 101)) $((row + 195)) $n; done; done
printf '\e[14;1Hredrawn'
read -r
printf '\e[?25h\e[?1049l'
`;

/** Waits for a file, then prints much inside margins, and leaves a short screen without them. */
const FLOOD = String.raw`printf '\e[2J\e[5;10r\e[10;1Hwaiting'
until [ -e go ]; do sleep 0.05; done
seq -f 'line %.0f of many' 400000
printf '\e[r\e[2J\e[H'
bash colours
printf 'all-%d\n' 2
`;

describe.skipIf(cannotRun([program('chromium'), program('bash')]))('terminal in a browser', { timeout: 180_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('looks like the terminal of the runner with every program, and again after a reload', async () => {
		await using world = await openWorld(chromium);
		await world.run('bash colours');
		await world.shows('漢字');
		expect((await world.same()).join('\n')).toContain('漢字 かな 😀 👍');
		await world.run('bash redraws');
		await world.shows('redrawn');
		await world.same();
		await world.page.reload();
		await world.isYours();
		expect((await world.same()).join('\n')).toContain('load 60');
		await world.type('\r');
		await world.shows('漢字');
		await world.same();
		expect(world.complaints).toEqual([]);
	});

	it.skipIf(cannotRun([program('vim')]))('shows vim, in which keys and the size of the page count', async () => {
		await using world = await openWorld(chromium);
		await world.run('vim -u NONE -N colours');
		await world.shows('"colours"');
		await world.type('Oänderung 漢字\x1b:set list number\r');
		await world.shows('änderung');
		await world.same();
		await world.page.setViewportSize({ width: 900, height: 600 });
		const lines = await waitFor(
			async () => {
				const shown = await world.same();
				return shown.length < 40 ? shown : undefined;
			},
			{ what: 'a smaller screen' },
		);
		expect(lines.join('\n')).toContain('änderung 漢字');
		expect(world.complaints).toEqual([]);
	});

	it('that fell behind gets a snapshot, and looks like the terminal of the runner', async () => {
		await using world = await openWorld(chromium);
		await using quick = await world.attach({ want: 'view' });
		const debug = await world.page.context().newCDPSession(world.page);
		await debug.send('Debugger.enable');
		// Margins that the lost output removes: only a snapshot on an empty screen looks right.
		await writeFile(join(world.roost.folder, 'flood'), FLOOD);
		await world.run('bash flood');
		await world.shows('waiting');
		const snapshots = world.snapshots();
		// Stops its scripts, so that nothing is confirmed.
		await debug.send('Debugger.pause');
		await writeFile(join(world.roost.folder, 'go'), '');
		await quick.shows('all-2');
		await debug.send('Debugger.resume');
		await world.shows('all-2');
		await world.same();
		expect(world.snapshots()).toBeGreaterThan(snapshots);
		expect(world.complaints).toEqual([]);
	});

	it('without control sends no byte and leaves the clipboard alone, whatever a program prints', async () => {
		await using world = await openWorld(chromium);
		const { page, roost } = world;
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: roost.url });
		await using other = await world.attach({ want: 'view' });
		other.send({ type: 'take' });
		await page.waitForSelector('[data-holder="other"] :text("View only: another viewer has control.")');
		await runInPage(page, 'await navigator.clipboard.writeText("mine")');
		const before = world.keys();
		const hostile = String.raw`\e[6n\e[c\e]52;c;aGk=\a\e]52;c;?\a\e]8;;javascript:alert(1)\aevil link\e]8;;\a\e]10;?\a\n`;
		other.type(`printf '${hostile}'; cat -v\r`);
		await world.shows('evil link');
		await clickLine(page, /^evil link/);
		await typeIn(page, 'typed\x03');
		other.type('from the other\r');
		await world.shows('from the other');
		const lines = (await world.same()).join('\n');
		expect(lines).not.toMatch(/typed|\^\[|\^C/);
		expect(world.keys()).toBe(before);
		expect(await page.locator('dialog').count()).toBe(0);
		expect(await runInPage(page, 'return await navigator.clipboard.readText()')).toBe('mine');
		expect(world.complaints).toEqual([]);
	});

	it('takes control on request, and gives the program its size; others see all of it', async () => {
		await using world = await openWorld(chromium);
		const { page } = world;
		await using other = await world.attach({ want: 'view' });
		other.send({ type: 'take' });
		other.send({ type: 'resize', cols: 130, rows: 60 });
		await page.waitForSelector('[data-holder="other"]');
		await waitFor(async () => ((await world.same()).length === 60 ? true : undefined), { what: 'the size of the other viewer' });
		const isWhole = `const [screen, place] = ['.xterm-screen', '[aria-label="Terminal screen"]'].map((name) => document.querySelector(name));
			return screen.getBoundingClientRect().right <= place.getBoundingClientRect().right;`;
		await waitFor(async () => ((await runInPage(page, isWhole)) ? true : undefined), { what: 'smaller letters' });
		await page.click('button:text("Take control")');
		await world.isYours();
		await other.frame('resized', ({ rows: now }) => now < 60);
		const { length: rows } = await world.same();
		expect(rows).toBeLessThan(60);
		await world.run('stty size');
		await world.shows(`${rows} `);
		expect(world.complaints).toEqual([]);
	});

	it('shows the address of a link before it opens', async () => {
		await using world = await openWorld(chromium);
		await world.run(String.raw`clear; printf '\e]8;;https://example.com/evil?q=1\agood words\e]8;;\a\n'`);
		// xterm draws the space of a link as one that does not break.
		await clickLine(world.page, /^good.words/);
		await world.page.waitForSelector('dialog[open]:has-text("https://example.com/evil?q=1")');
		expect(await world.page.locator('dialog a').getAttribute('rel')).toBe('noopener noreferrer');
		await world.page.click('dialog button:text("Close")');
		expect(await world.page.locator('dialog[open]').count()).toBe(0);
		expect(world.page.context().pages()).toHaveLength(1);
	});

	it('stays readable after its program ended, and says how', async () => {
		await using world = await openWorld(chromium);
		await world.run("printf 'last %s\\n' words; exit 3");
		await world.page.waitForSelector('[data-state="ended"] [role="status"]:has-text("The program ended with exit code 3.")');
		await world.shows('last words');
		expect(world.complaints).toEqual([]);
	});

	it.each([
		['/t/none', 'Terminal "none" not found.'],
		['/t/NONE', 'There is no terminal "NONE".'],
	])('at %s says that there is none', async (address, words) => {
		await using world = await openWorld(chromium);
		await world.page.goto(`${world.roost.url}${address}`);
		await world.page.waitForSelector(`main:has-text(${JSON.stringify(words)})`);
	});

	it('says since when the runner is away, and that a program ended with it', async () => {
		await using world = await openWorld(chromium);
		await world.run("printf 'before the %s\\n' crash");
		await world.shows('before the crash');
		await world.roost.kill();
		await world.page.waitForSelector('[data-terminal][data-state="reconnecting"] [role="status"]:has-text("Reconnecting since")');
		await world.shows('before the crash');
		await world.roost.restart();
		await world.page.waitForSelector(
			'[data-terminal][data-state="ended"] [role="status"]:has-text("ended while the connection was lost")',
		);
		await world.shows('before the crash');
	});

	it('is closed and asks for nothing more once the device is revoked', async () => {
		await using world = await openWorld(chromium);
		const { page, roost } = world;
		const [device] = unwrap(await roost.api.devices.list());
		if (!device) throw new Error('no device');
		unwrap(await roost.api.devices.revoke({ id: device.id }));
		await page.waitForSelector('[data-state="logged-out"]');
		expect(await page.locator('[data-terminal]').count()).toBe(0);
		const hasNoViewer = async () => unwrap(await roost.api.terminals.list()).every(({ viewers }) => viewers === 0) || undefined;
		await waitFor(hasNoViewer, { what: 'a terminal without viewers' });
	});

	it('has the keys that a phone lacks, and modifiers for the next key', async () => {
		await using world = await openWorld(chromium, PHONE);
		const { page } = world;
		const key = (name: string) => page.locator('[role="toolbar"] button', { hasText: name }).tap();
		await world.run('cat -v');
		await key('Esc');
		await key('↑');
		await key('⇧Tab');
		await key('Ctrl');
		await world.type('g');
		await world.type('h\r');
		await world.shows('^[^[[A^[[Z^Gh');
		await key('^C');
		await world.shows('^C');
		await page.setViewportSize({ width: 390, height: 480 });
		const bar = await waitFor(
			async () => {
				const box = await page.locator('[role="toolbar"]').boundingBox();
				return box && box.y + box.height <= 480 ? box : undefined;
			},
			{ what: 'the keys above the keyboard of the phone' },
		);
		expect(bar.width).toBeLessThanOrEqual(390);
		await world.same();
		expect(world.complaints).toEqual([]);
	});

	it('pastes text without sequences, as one paste', async () => {
		await using world = await openWorld(chromium, PHONE);
		const { page, roost } = world;
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: roost.url });
		await runInPage(page, 'await navigator.clipboard.writeText("echo a\x1b[201~\\necho b")');
		const before = world.keys().length;
		await page.locator('[role="toolbar"] button:text("Paste")').tap();
		await world.shows('echo b');
		expect(world.keys().slice(before)).toBe('\x1b[200~echo a[201~\recho b\x1b[201~');
	});
});

describe.skipIf(cannotRun([program('chromium'), program('bash')]))('list of terminals in a browser', { timeout: 180_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('opens a shell in a folder, and closes it after a question', async () => {
		await using world = await openWorld(chromium);
		const { page, roost } = world;
		await world.go('/t');
		await page.fill('input[type="text"]', roost.folder);
		await page.click('button:text("Open a shell")');
		await world.isYours();
		await world.shows(PROMPT.trim());
		const id = new URL(page.url()).pathname.slice('/t/'.length);
		expect(id).not.toBe(world.id);
		await page.click('[data-terminal] a:text("Terminals")');
		await page.click(`[data-terminal="${id}"] button`);
		await page.click('dialog button:text("Close terminal")');
		await page.waitForSelector(`[data-terminal="${id}"][data-state="ended"]`);
		expect(unwrap(await roost.api.terminals.list()).filter(({ state }) => state === 'running')).toMatchObject([{ id: world.id }]);
		expect(world.complaints).toEqual([]);
	});

	it('offers a shell in the folder of a session that is in no terminal', async () => {
		await using world = await openWorld(chromium);
		const { page, roost } = world;
		const agent = await roost.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		await world.go(`/s/${agent.sessionId}/terminal`);
		await page.click('button:text("Open a shell in this folder")');
		await world.isYours();
		await world.run('pwd');
		await world.shows(roost.folder);
		expect(world.complaints).toEqual([]);
	});
});

async function openWorld(chromium: Chromium, options: BrowserContextOptions = DESK) {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess({ env: SHELL }));
	await writeFile(join(roost.folder, '.bashrc'), `PS1='${PROMPT}'\n`);
	await writeFile(join(roost.folder, 'colours'), COLOURS);
	await writeFile(join(roost.folder, 'redraws'), REDRAWS);
	const { id } = unwrap(
		await roost.api.terminals.open({ commandId: crypto.randomUUID(), projectId: projectId.parse(roost.folder) }),
	);
	const opened = stack.use(await openPage(chromium, roost, { ...options, colorScheme: 'dark' }));
	const { page, complaints } = opened;
	const sent: Buffer[] = [];
	let snapshots = 0;
	page.on('websocket', (socket) => {
		socket.on('framesent', ({ payload }) => void (typeof payload === 'string' || sent.push(payload)));
		socket.on('framereceived', ({ payload }) => {
			if (typeof payload === 'string' && payload.includes('"type":"snapshot"')) snapshots++;
		});
	});
	const attach = (over: Record<string, unknown>) =>
		openRawTerminal({ port: roost.port, id, headers: roost.bearer, attach: { cols: 100, rows: 30, ...over } });
	const isYours = async () => void (await page.waitForSelector('[data-terminal][data-state="live"][data-holder="you"]'));
	await opened.go(`/t/${id}`);
	await isYours();
	// From here on the shell reads keys and takes a paste as one.
	await showsIn(page, PROMPT.trim());
	const owned = stack.move();
	return {
		roost,
		page,
		id,
		complaints,
		go: opened.go,
		attach,
		isYours,
		type: (keys: string) => typeIn(page, keys),
		run: (command: string) => typeIn(page, `${command}\r`),
		shows: (words: string) => showsIn(page, words),
		same: () => waitForSameScreen(page, roost, id),
		/** Bytes that the page sent as keys. */
		keys: () => Buffer.concat(sent).toString(),
		snapshots: () => snapshots,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const KEYS: Readonly<Record<string, string>> = { '\r': 'Enter', '\x1b': 'Escape', '\x03': 'Control+c' };

async function typeIn(page: Page, keys: string): Promise<void> {
	await page.locator('.xterm-helper-textarea').focus();
	for (const key of keys) {
		if (KEYS[key] === undefined) await page.keyboard.type(key);
		else await page.keyboard.press(KEYS[key]);
	}
}

/** The lines themselves take no clicks. */
async function clickLine(page: Page, line: RegExp): Promise<void> {
	const found = page.locator('.xterm-rows > div', { hasText: line });
	await found.waitFor();
	const box = await found.boundingBox();
	if (!box) throw new Error(`no line ${line}`);
	await page.mouse.click(box.x + 20, box.y + box.height / 2);
}

async function showsIn(page: Page, words: string): Promise<void> {
	await page.waitForSelector(`.xterm-rows > div:has-text(${JSON.stringify(words)})`);
}
