// A model prints terminal escape sequences through the real claude into the real UI: every character stays in its place.
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { openRoostClaude } from '@roost/testkit/rigs/agents/claude-terminal';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { KEYS, openTui, pressUntil, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { describe, expect, it } from 'vitest';

const SOON = 120_000;
const SOAK = process.env.ROOST_SOAK === '1';

describe.skipIf(cannotRun([claude(), program('tmux')]))('hostile model behind the real claude', () => {
	it('leaves the rest of the screen intact and sends no control sequences to the terminal', {
		timeout: SOAK ? 600_000 : 120_000,
	}, async () => {
		await using world = await openRoostClaude({
			'be evil': [
				[
					say(`${MUCH}\n\n| a | b |\n|---|---|\n| ${EVIL} | 日本 |\n`),
					callTool('Write', { file_path: `we${EVIL}.ts`, content: MUCH }),
				],
				[callTool('Bash', { command: PRINT, description: EVIL })],
				[callTool('AskUserQuestion', { questions: [questionOf(EVIL)] })],
				[say(`Over. ${EVIL}`)],
			],
		});
		await using tui = openTui({ cwd: world.project, env: world.env, columns: 120, rows: 40 });
		await tui.waitForScreen(/live/, SOON);
		await world.prompt('be evil');

		await expectIntact(tui, 'Permission', /── Permission[\s\S]*1 \+ evil/);
		await readOn(tui);
		await pressUntil(tui, 'n', (screen) => !screen.includes('── Permission'), SOON);
		world.next();
		await expectIntact(tui, 'Permission', /── Permission[\s\S]*\$ printf/);
		// Not with the shortcut key, which copies text once the dialog is closed.
		await pressUntil(tui, KEYS.left, (screen) => /❯ y {2}Allow once/.test(screen), SOON);
		await pressUntil(tui, KEYS.enter, (screen) => !screen.includes('── Permission'), SOON);
		await world.reportedModel(2);
		world.next();
		await expectIntact(tui, 'Question', /── Question/);
		await pressUntil(tui, '1', (screen) => screen.includes('☑'), SOON);
		await pressUntil(tui, KEYS.enter, (screen) => !screen.includes('── Question'), SOON);
		world.next();
		await expectIntact(tui, 'Feed', /idle[\s\S]*Over\. evil/);
		expectTame(tui.bytes());
	});
});

const EVIL =
	'evil \x1b[2J\x1b[1;1H\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x1b\\\x9b2J \u202egpj.exe\u202c \u26a0\ufe0f\u{1f44d}\u{1f3fd} 日本語 \tz\u0335\u0335\u2028 end';
/** In a soak run: every hostile string. */
const MUCH = SOAK ? [EVIL, ...hostileStrings()].join('\n') : EVIL;
const PRINT = `printf '\\033[2J\\033[1;1H\\033]0;owned\\007'; head -c 1000000 /dev/zero | tr '\\0' x; printf '日本語 👍🏽\\n'`;

function questionOf(text: string) {
	const options = [
		{ label: text, description: text },
		{ label: '👍🏽'.repeat(40), description: '日本'.repeat(80) },
	];
	return { question: `${text}?`, header: text, multiSelect: true, options };
}

/** The column of the side panel at 120 columns. */
const BORDER = 82;

/** The UI's own lines and the border of the feed are in their usual places. */
async function expectIntact(tui: TuiRig, place: string, shows: RegExp): Promise<void> {
	// A frame may arrive in pieces: a line without its border is broken only if it stays so.
	await tui.waitForScreen(
		(text) => shows.test(text) && text.includes(`\n ${place} `) && linesWithoutBorder(tui).length === 0,
		SOON,
	);
	const screen = tui.screen();
	expect(screen[0]).toMatch(/^ roost project {2}\w+ {2}claude .*be evil .* live$/);
	expect(screen[38]?.startsWith(` ${place} `), screen[38]).toBe(true);
	expect(screen[39]).toBe('');
	expect(tui.terminal.scrolledLines()).toBe(0);
}

function linesWithoutBorder(tui: TuiRig): unknown[] {
	const dialog = tui.screen().findIndex((line) => line.startsWith('── '));
	const beside = tui.terminal.styledScreen().slice(2, dialog < 0 ? 38 : dialog);
	return beside.filter((line) => !line.some(({ text, column }) => text[BORDER - column] === '│'));
}

/** Scrolls page by page to the end of the dialog. */
async function readOn(tui: TuiRig): Promise<void> {
	while (tui.terminal.text().includes('more below')) {
		const before = tui.bytes().length;
		tui.type(KEYS.pageDown);
		await tui.waitForScreen(() => tui.bytes().length > before, SOON);
		await expectIntact(tui, 'Permission', /── Permission/);
	}
}

/** Sequences that the UI itself writes: colours, positions, erasing, and terminal modes. */
const OURS = new RegExp(`${'\x1b'}\\[(?:[\\d;]*[mHGKJ]|\\?[\\d;]+[hl])`, 'gu');

function expectTame(bytes: string): void {
	const rest = bytes.replaceAll(OURS, '');
	expect(rest.match(/[^\n]{0,20}[\p{Cc}\p{Bidi_Control}\u2028\u2029][^\n]{0,20}/u)).toBeNull();
}
