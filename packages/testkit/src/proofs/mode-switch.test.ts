// A session of the real Claude moves from Roost into a terminal and back, with its conversation.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { reportStory } from '../rigs/runner/session-story.ts';
import { openTui, type TuiRig } from '../rigs/tui/tui-rig.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';

const LEAVE = '\x1d\x1d';
const SOON = 120_000;

/** Repeats which prompts it received so far. */
const echo: Script = ({ messages }) => {
	const known = ['apple', 'pear', 'plum'].filter((fruit) => JSON.stringify(messages).includes(fruit));
	return message([say(`I know ${known.join(', ')}.`)]);
};

describe('session moved into a terminal', () => {
	it('continues its conversation in the terminal, rejects prompts while there, and returns with all of it', {
		timeout: 180_000,
	}, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const { api } = roost;
		const session = await roost.start({ prompt: 'apple' });
		expect((await session.until('agent.message')).data.text).toBe('I know apple.');
		await session.until('run.end');

		await using terminal = await attach(roost, session.id);
		expect(unwrap(await api.record.session({ id: session.id }))).toMatchObject({
			drive: { mode: 'pty' },
			driving: { takesPrompts: false, why: expect.stringContaining(`roost attach ${session.id}`) },
		});
		expect(
			unwrapError(await api.sessions.message({ commandId: crypto.randomUUID(), id: session.id, text: 'plum' })),
		).toMatchObject({ code: 'conflict' });
		await report(terminal, 'pear', /I know apple, pear\./);
		await session.until('run.end', 2);
		terminal.type(LEAVE);
		expect(await terminal.waitForExit()).toMatchObject({ code: 0 });
		expect(unwrap(await api.terminals.list())).toMatchObject([{ sessionId: session.id, state: 'running' }]);

		unwrap(await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'sdk' }));
		await session.say('plum');
		expect((await session.of('agent.message')).at(-1)?.data.text).toBe('I know apple, pear, plum.');
		const row = await session.row();
		expect(row).toMatchObject({ status: 'idle', drive: { mode: 'sdk' } });
		expect(new Set(row.nativeIds.map(({ id }) => id)).size).toBe(1);
		expect(unwrap(await api.record.sessions())).toHaveLength(1);
		expect((await session.of('terminal.close')).length).toBe(1);
	});

	it('is recorded there on request, but not if its terminal is already open', { timeout: 180_000 }, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const { api } = roost;
		const session = await roost.start({ prompt: 'apple' });
		await session.until('run.end');
		await using terminal = await attach(roost, session.id, '--record');
		await report(terminal, 'pear', /I know apple, pear\./);
		terminal.type(LEAVE);
		await terminal.waitForScreen(/the recording, secrets included, is in/, SOON);
		await terminal.waitForExit();
		const [row] = unwrap(await api.terminals.list());
		expect(row?.recording).toMatch(/\.cast$/);
		unwrap(await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'pty', recording: true }));
		unwrap(await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'sdk' }));
		expect(await readFile(row?.recording ?? '', 'utf8')).toContain('pear');
		expect(
			unwrapError(
				await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'sdk', recording: true }),
			),
		).toMatchObject({
			code: 'bad_request',
		});

		unwrap(await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'pty' }));
		const refused = unwrapError(
			await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'pty', recording: true }),
		);
		expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('without a recording') });
	});

	it('opens from the terminal UI, and returns there on detach', { timeout: 180_000 }, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const session = await roost.start({ prompt: 'apple' });
		await session.until('run.end');
		await using ui = openTui({ cwd: roost.claude.project, env: roost.env, columns: 120, rows: 40 });
		await ui.waitForScreen(/live[\s\S]*I know apple\./, SOON);
		ui.type(':attach\r');
		await ui.waitForScreen(/\? for shortcuts/, SOON);
		await report(ui, 'pear', /I know apple, pear\./);
		ui.type(LEAVE);
		await ui.waitForScreen(/in a terminal[\s\S]*❯ pear[\s\S]*type :attach to return/, SOON);
		await ui.waitForScreen(/ Feed /, SOON);
		ui.type('?');
		await ui.waitForScreen(/Help/, SOON);
		ui.type('\x1b');
		await ui.waitForScreen((screen) => !screen.includes('Help'), SOON);
		ui.type('q');
		expect(await ui.waitForExit()).toMatchObject({ code: 0 });
		expect(ui.terminal.modes()).toEqual({ alternateScreen: false, bracketedPaste: false, mouse: false });
	});

	it('can start there, and is driven again by a prompt once the terminal has ended', { timeout: 180_000 }, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const { api } = roost;
		const { agent, projectId } = await roost.describe();
		const created = unwrap(await api.sessions.create({ commandId: crypto.randomUUID(), agent, projectId, mode: 'pty' }));
		const session = reportStory(api, created.sessionId);
		await using terminal = await attach(roost, session.id);
		await report(terminal, 'apple', /I know apple\./);
		await session.until('run.end');
		terminal.type('/exit\r');
		await terminal.waitForExit();
		await session.until('terminal.close');
		await session.say('pear');
		expect((await session.of('agent.message')).at(-1)?.data.text).toBe('I know apple, pear.');
		expect(unwrap(await api.record.sessions())).toHaveLength(1);
	});
});

/** In a terminal of the test, once Claude is ready. */
async function attach(roost: DrivenClaude, session: string, ...options: string[]): Promise<TuiRig> {
	const place = { cwd: roost.claude.project, env: roost.env, columns: 120, rows: 40 };
	await using stack = new AsyncDisposableStack();
	const terminal = stack.use(openTui({ ...place, args: ['attach', session, ...options] }));
	await terminal.waitForScreen(/\? for shortcuts/, SOON);
	stack.move();
	return terminal;
}

/** Types a prompt, and waits for its response. */
async function report(terminal: TuiRig, prompt: string, answer: RegExp): Promise<void> {
	terminal.type(prompt);
	await terminal.waitForScreen((screen) => screen.includes(prompt), SOON);
	terminal.type('\r');
	await terminal.waitForScreen(answer, SOON);
}
