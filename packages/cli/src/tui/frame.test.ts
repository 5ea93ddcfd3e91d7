import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { SAMPLE_NOW, sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, SCENE_SIZES } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';
import { drawFrame, focusRoom } from './frame.ts';
import { DIALOGS, VIEWS } from './pane.ts';
import { createPainter } from './screen/painter.ts';
import { createStyles } from './screen/styles.ts';
import { paneFor } from './shell/panes.ts';
import { open, startShell } from './shell/shell.ts';

const styles = createStyles({ theme: 'dark', colour: true, ascii: false });

describe('whole screen', () => {
	it.each(SCENE_SIZES)('has header, view, footer and one free line at $columns x $rows', async (size) => {
		const world = sampleWorld();
		using terminal = await drawScene({ shell: startShell(world), world, notice: '' }, size);
		const screen = terminal.screen();
		expect(screen[0]).toMatch(/^ roost project .*live$/);
		expect(screen.at(-2)).toMatch(/^ Feed /);
		expect(screen.at(-1)).toBe('');
		expect(terminal.scrolledLines()).toBe(0);
	});

	it('draws every view and dialog within its room', () => {
		const world = sampleWorld();
		for (const { columns, rows } of [...SCENE_SIZES, { columns: 60, rows: 12 }]) {
			for (const place of [...VIEWS, ...DIALOGS]) {
				const shell = open(startShell(world), place, world);
				const room = focusRoom(shell, { columns, rows }, styles);
				expect(paneFor(place, shell.panes).draw(world, room).rows.length, place).toBeLessThanOrEqual(room.height);
				const { lines } = drawFrame({ shell, world, notice: '' }, { columns, rows }, styles);
				expect(lines, `${place} at ${columns}x${rows}`).toHaveLength(rows - 1);
			}
		}
	});

	it('shows tasks and actors beside the feed on a wide screen, but not beside the rules', async () => {
		const world = sampleWorld();
		const feed = startShell(world);
		using narrow = await drawScene({ shell: feed, world, notice: '' }, { columns: 119, rows: 40 });
		using wide = await drawScene({ shell: feed, world, notice: '' }, { columns: 120, rows: 40 });
		using rules = await drawScene({ shell: open(feed, 'rules', world), world, notice: '' }, { columns: 120, rows: 40 });
		expect(narrow.text()).not.toMatch(/│ Tasks$/m);
		expect(wide.text()).toMatch(/│ Tasks$/m);
		expect(wide.text()).toMatch(/│ Actors$/m);
		expect(
			wide
				.screen()
				.slice(2, -2)
				.map((line) => line.indexOf('│', 80)),
		).toEqual(Array.from({ length: 36 }, () => 82));
		expect(rules.text()).not.toMatch(/│ Tasks$/m);
	});

	it('draws a dialog below the view, separated by a line with its title', async () => {
		const world = sampleWorld();
		using terminal = await drawScene({ shell: open(startShell(world), 'help', world), world, notice: '' });
		const rule = terminal.screen().findIndex((line) => line.startsWith('── Help ──'));
		expect(rule).toBeGreaterThanOrEqual(2 + 5);
		expect(terminal.screen()[2]).toMatch(/^12:00/);
		expect(terminal.screen().at(-2)).toMatch(/^ Help /);
	});

	it('places the cursor at the position set by the dialog', () => {
		const world = sampleWorld();
		const shell = open(startShell(world), 'search', world);
		const window = { columns: 80, rows: 24 };
		const drawn = paneFor('search', shell.panes).draw(world, focusRoom(shell, window, styles));
		const { lines, cursor } = drawFrame({ shell, world, notice: '' }, window, styles);
		const rule = lines.findIndex((line) => line.includes('── '));
		expect(drawn.cursor?.line).toBeTypeOf('number');
		expect(cursor).toEqual({ ...drawn.cursor, line: (drawn.cursor?.line ?? 0) + rule + 1 });
	});

	it('truncates the title first when the header is narrow', async () => {
		const world = sampleWorld({ open: sampleOpen([sampleEvent('k3f9', 1, longPrompt())]) });
		using terminal = await drawScene({ shell: startShell(world), world, notice: '' });
		expect(terminal.screen()[0]).toMatch(/^ roost project {2}k3f9 .*very.*… live$/);
	});

	it('shows only complete hints in the footer, fewer when narrow', async () => {
		const world = sampleWorld();
		const footerAt = async (columns: number) => {
			using terminal = await drawScene({ shell: startShell(world), world, notice: '' }, { columns, rows: 24 });
			return terminal.screen().at(-2) ?? '';
		};
		const words = (footer: string) => footer.trim().split('  ');
		const full = words(await footerAt(200));
		const narrow = await footerAt(60);
		expect(full.length).toBeGreaterThan(words(narrow).length);
		expect(words(narrow).filter((hint) => !full.includes(hint))).toEqual([]);
		expect(narrow).toContain('? help');
	});

	it('shows a notice instead of the footer', async () => {
		const world = sampleWorld();
		using terminal = await drawScene({ shell: startShell(world), world, notice: 'Copied.' });
		expect(terminal.screen().at(-2)).toBe(' Copied.');
	});

	it('writes nothing as time passes, except when a displayed age changes', () => {
		const world = sampleWorld();
		const shell = startShell(world);
		const written: string[] = [];
		const painter = createPainter((bytes) => written.push(bytes));
		for (let second = 0; second < 180; second += 1) {
			const later = { ...world, now: SAMPLE_NOW + 600_000 + second * 1_000 };
			const { lines, cursor } = drawFrame({ shell, world: later, notice: '' }, { columns: 80, rows: 24 }, styles);
			painter.paint(lines, cursor);
		}
		const [, ...changes] = written;
		expect(changes).toHaveLength(3);
		expect(changes.every((bytes) => bytes.length < 200)).toBe(true);
	});

	it('truncates the connection problem before hiding the session', async () => {
		const connection = { state: 'reconnecting' as const, since: SAMPLE_NOW - 5_000, reason: 'nobody answers '.repeat(20) };
		const world = sampleWorld({ connection });
		using terminal = await drawScene({ shell: startShell(world), world, notice: '' });
		expect(terminal.screen()[0]).toMatch(/^ roost project {2}k3f9 .*reconnecting since 5s: nobody/);
	});

	it('reports a window that is too small', async () => {
		const world = sampleWorld();
		using terminal = await drawScene({ shell: startShell(world), world, notice: '' }, { columns: 50, rows: 8 });
		expect(terminal.text()).toBe('Roost needs 60x12; this is 50x8.\n');
	});

	it('never passes control sequences from an agent to the terminal', () => {
		const hostile = 'x\x1b]52;c;aGk=\x07\x1b]52;c;?\x07\x1b[6n\x1b]8;;javascript:alert(1)\x07\x9b6n';
		const data = { prompt: hostile, cwd: hostile };
		const world = sampleWorld({ open: sampleOpen([sampleEvent('k3f9', 1, { kind: 'user.prompt', data })]) });
		for (const place of [...VIEWS, ...DIALOGS]) {
			const { lines } = drawFrame(
				{ shell: open(startShell(world), place, world), world, notice: hostile },
				{ columns: 200, rows: 60 },
				styles,
			);
			expect(lines.join('').replaceAll(OURS, ''), place).not.toMatch(/\p{Cc}/u);
		}
	});
});

/** Colours, and the columns in which parts of the screen begin. */
const OURS = /\p{Cc}\[[\d;]*m|\p{Cc}\[\d+G/gu;

function longPrompt() {
	const prompt = `a very ${'very '.repeat(30)}long prompt`;
	return { kind: 'user.prompt' as const, title: prompt, data: { prompt, cwd: '/project' } };
}
