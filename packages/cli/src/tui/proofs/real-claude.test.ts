// The real claude in one window of a tmux and the terminal UI in another: what the agent does is seen and decided there.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGate } from '@roost/testkit/fakes/gate';
import { apiError, callTool, say } from '@roost/testkit/fakes/model-reply';
import { type Script, scriptTurns, type Turn } from '@roost/testkit/fakes/script';
import { createClaudeRig } from '@roost/testkit/rigs/claude-rig';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { roostArgv, roostEnv } from '@roost/testkit/rigs/roost-cli';
import { createTmuxRig, type TmuxSession } from '@roost/testkit/rigs/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** The machine may be busy; what does not come by then does not come. */
const SOON = 40_000;

describe.skipIf(cannotRun([claude(), program('tmux')]))('the real claude, decided about in the terminal UI', () => {
	it('is seen live, allowed, edited, denied with a message and given an answer', { timeout: 120_000 }, async () => {
		await using world = await openWorld({
			'paint the shed': [
				[say('I look around first.'), bash('touch allowed.txt')],
				[bash('touch wrong.txt')],
				[bash('touch denied.txt')],
				[callTool('AskUserQuestion', { questions: [COLOUR] })],
				[say('Blue it is.')],
			],
			'hang a sign': [[bash('touch sign.txt')], [say('It hangs.')]],
		});
		const { ui, agent } = world;
		await sendPrompt(agent, 'paint the shed');

		await ui.waitForScreen(/I look around first\.[\s\S]*── Permission[\s\S]*\$ touch allowed\.txt/, SOON);
		await agent.waitForScreen(/Do you want to proceed/, SOON);
		await pressUntil(ui, 'y', hasNo('── Permission'));
		await agent.waitForScreen(hasNo('Do you want to proceed'), SOON);
		await world.file('allowed.txt');

		world.next();
		await ui.waitForScreen(/── Permission[\s\S]*\$ touch wrong\.txt/, SOON);
		await pressUntil(ui, 'e', has('Enter allows what stands here'));
		await ui.key('C-u');
		await ui.type('echo right > edited.txt');
		await ui.key('Enter');
		expect(await world.file('edited.txt')).toBe('right\n');
		await ui.waitForScreen(/✓ Bash echo right > edited\.txt {2}changed before it ran/, SOON);

		world.next();
		await ui.waitForScreen(/── Permission[\s\S]*\$ touch denied\.txt/, SOON);
		await pressUntil(ui, 'm', has('What should the agent know?'));
		await ui.type('use the scratch folder');
		await ui.key('Enter');
		expect(await world.toldModel(3)).toMatchObject({ isError: true, text: expect.stringContaining('use the scratch folder') });

		world.next();
		await ui.waitForScreen(/── Question[\s\S]*Which colour\?/, SOON);
		await agent.waitForScreen(/❯ 1\. Red/, SOON);
		await pressUntil(ui, '2', hasNo('── Question'));
		expect(await world.toldModel(4)).toMatchObject({ text: expect.stringContaining('Blue') });
		await agent.waitForScreen(hasNo('❯ 1. Red'), SOON);
		world.next();
		await ui.waitForScreen(/idle[\s\S]*Blue it is\./, SOON);

		const headless = await world.open('claude', '-p', 'hang a sign');
		await ui.waitForScreen(/── Permission[\s\S]*"hang a sign"[\s\S]*\$ touch sign\.txt/, SOON);
		await pressUntil(ui, 'y', hasNo('── Permission'));
		await world.file('sign.txt');
		world.next();
		await headless.waitForScreen(/It hangs\./, SOON);
	});
});

const COLOUR = {
	question: 'Which colour?',
	header: 'Colour',
	multiSelect: false,
	options: [
		{ label: 'Red', description: 'the red one' },
		{ label: 'Blue', description: 'the blue one' },
	],
};

function bash(command: string) {
	return callTool('Bash', { command, description: 'Change a file' });
}

/** The model's turns by prompt. Each but the first waits for `next`, so that no dialog gets a key meant for the one before. */
async function openWorld(turns: Readonly<Record<string, readonly Turn[]>>) {
	await using stack = new AsyncDisposableStack();
	const gate = createTurnstile();
	const rig = stack.use(await createClaudeRig({ script: scriptPrompts(turns, gate.pass) }));
	const tmux = stack.use(await createTmuxRig());
	const env = await roostEnv(rig);
	const open = (...args: string[]) => tmux.start(roostArgv(...args), { cwd: rig.project, env });
	const agent = await open('claude', '--permission-mode', 'manual');
	const ui = await open();
	await Promise.all([agent.waitForScreen(/\? for shortcuts/, SOON), ui.waitForScreen(/live/, SOON)]);
	const owned = stack.move();
	return {
		agent,
		ui,
		open,
		next: gate.open,
		file: (name: string) => soon(name, () => readFile(join(rig.project, name), 'utf8').catch(() => undefined), ui),
		/** What the tool before came to, in so many-th a call of the model. */
		toldModel: async (call: number) => (await soon(`call ${call}`, () => rig.model.requests[call], ui)).toolResults.at(-1),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function scriptPrompts(turns: Readonly<Record<string, readonly Turn[]>>, pass: () => Promise<void>): Script {
	const scripts = Object.entries(turns).map(([prompt, list]) => ({ prompt, play: scriptTurns(...list) }));
	return async (request) => {
		if (request.toolResults.length > 0) await pass();
		const script = scripts.find(({ prompt }) => JSON.stringify(request.messages).includes(prompt));
		return script?.play(request) ?? apiError(400, 'invalid_request_error', 'The script has no such prompt.');
	};
}

/** Lets one through for each time it is opened, before or after it comes. */
function createTurnstile() {
	const gates = [createGate()];
	let passed = 0;
	return {
		pass: () => gates[passed++]?.opened ?? Promise.resolve(),
		open() {
			gates.at(-1)?.open();
			gates.push(createGate());
		},
	};
}

function soon<T>(what: string, fact: () => Promise<T | undefined> | T | undefined, ui: TmuxSession): Promise<T> {
	return waitFor(fact, { deadlineMs: SOON, what, seen: ui.screen });
}

function has(words: string) {
	return (screen: string) => screen.includes(words);
}

function hasNo(words: string) {
	return (screen: string) => !screen.includes(words);
}

async function sendPrompt(agent: TmuxSession, text: string): Promise<void> {
	await agent.type(text);
	await agent.waitForScreen((screen) => screen.includes(text), SOON);
	await agent.key('Enter');
}

/** A dialog that has just appeared takes no key yet, so the key is pressed until it counts. */
async function pressUntil(ui: TmuxSession, key: string, fits: (screen: string) => boolean): Promise<void> {
	const pressed = async () => {
		if (fits(await ui.screen())) return true;
		await ui.type(key);
		return undefined;
	};
	await waitFor(pressed, { deadlineMs: SOON, what: `"${key}" to count`, everyMs: 450, seen: ui.screen });
}
