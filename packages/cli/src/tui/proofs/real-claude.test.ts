// The real claude in one tmux window and the terminal UI in another: the UI shows and decides what the agent does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGate } from '@roost/testkit/fakes/gate';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { openRoostClaude } from '@roost/testkit/rigs/agents/claude-terminal';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import type { TmuxSession } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** Generous for a busy machine. */
const SOON = 120_000;

describe.skipIf(cannotRun([claude(), program('tmux')]))('real claude with decisions in the terminal UI', () => {
	it('is shown live, allowed, edited, denied with a message and answered', { timeout: 120_000 }, async () => {
		const rest = createGate();
		await using world = await openRoostClaude({
			'paint the shed': [
				[say('I look around first.'), bash('touch allowed.txt')],
				[bash('touch wrong.txt')],
				[bash('touch denied.txt')],
				[callTool('AskUserQuestion', { questions: [COLOUR] })],
				message([say('Blue it is.\n\n', 'The shed is painted.')], { pace: { gate: rest } }),
			],
			'hang a sign': [[bash('touch sign.txt')], [say('It hangs.')]],
		});
		const { agent } = world;
		const ui = await world.open();
		await ui.waitForScreen(/live/, SOON);
		await world.prompt('paint the shed');

		await ui.waitForScreen(/── Permission[\s\S]*\$ touch allowed\.txt/, SOON);
		// The message precedes the call, although Claude may report the call first.
		await ui.waitForScreen((screen) => isBefore(screen, 'I look around first.', 'touch allowed.txt'), SOON);
		await agent.waitForScreen(/Do you want to proceed/, SOON);
		await pressUntil(ui, 'y', hasNo('── Permission'));
		await agent.waitForScreen(hasNo('Do you want to proceed'), SOON);
		await world.made('allowed.txt');

		world.next();
		await ui.waitForScreen(/── Permission[\s\S]*\$ touch wrong\.txt/, SOON);
		await pressUntil(ui, 'e', has('Enter allows it'));
		await ui.key('C-u');
		await ui.type('touch edited.txt');
		await ui.key('Enter');
		await world.made('edited.txt');
		expect(existsSync(join(world.project, 'wrong.txt'))).toBe(false);
		await ui.waitForScreen(/✓ Bash touch edited\.txt {2}changed before it ran/, SOON);

		world.next();
		await ui.waitForScreen(/── Permission[\s\S]*\$ touch denied\.txt/, SOON);
		await pressUntil(ui, 'm', has('Reason for the agent:'));
		await ui.type('use the scratch folder');
		await ui.key('Enter');
		expect(await world.reportedModel(3)).toMatchObject({
			isError: true,
			text: expect.stringContaining('use the scratch folder'),
		});

		world.next();
		await ui.waitForScreen(/── Question[\s\S]*Which colour\?/, SOON);
		await agent.waitForScreen(/❯ 1\. Red/, SOON);
		await pressUntil(ui, '2', hasNo('── Question'));
		expect(await world.reportedModel(4)).toMatchObject({ text: expect.stringContaining('Blue') });
		await agent.waitForScreen(hasNo('❯ 1. Red'), SOON);

		world.next();
		await ui.waitForScreen(/working[\s\S]*Blue it is\./, SOON);
		rest.open();
		await ui.waitForScreen(/idle[\s\S]*The shed is painted\./, SOON);

		const headless = await world.open('claude', '-p', 'hang a sign');
		await ui.waitForScreen(/── Permission[\s\S]*"hang a sign"[\s\S]*\$ touch sign\.txt/, SOON);
		await pressUntil(ui, 'y', hasNo('── Permission'));
		await world.made('sign.txt');
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

/** A new dialog ignores keys for a moment, so the key is pressed until it takes effect. */
async function pressUntil(ui: TmuxSession, key: string, fits: (screen: string) => boolean): Promise<void> {
	const pressed = async () => {
		if (fits(await ui.screen())) return true;
		await ui.type(key);
		return undefined;
	};
	await waitFor(pressed, { deadlineMs: SOON, what: `"${key}" to take effect`, everyMs: 450, seen: ui.screen });
}

function has(words: string) {
	return (screen: string) => screen.includes(words);
}

function hasNo(words: string) {
	return (screen: string) => !screen.includes(words);
}

function isBefore(screen: string, first: string, second: string): boolean {
	return screen.includes(first) && screen.indexOf(first) < screen.indexOf(second);
}
