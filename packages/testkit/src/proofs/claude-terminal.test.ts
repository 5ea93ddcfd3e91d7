// The real claude in a terminal: its own dialogs race with Roost's answers, and the record shows which was first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ask } from '@roost/protocol/ask';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { callTool, say } from '../fakes/model-reply.ts';
import { type Script, scriptTurns } from '../fakes/script.ts';
import { type ClaudeTerminal, openClaudeTerminal } from '../rigs/agents/claude-terminal.ts';
import { type ObservedClaude, openObservedClaude } from '../rigs/agents/observed-claude.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { createTmuxRig } from '../rigs/terminal/tmux-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const LEA = { name: 'lea', face: 'test' };
const TOUCH = callTool('Bash', { command: 'touch made.txt', description: 'Make a file' });
const QUESTION = callTool('AskUserQuestion', {
	questions: [
		{
			question: 'Which colour?',
			header: 'Colour',
			multiSelect: false,
			options: [
				{ label: 'Red', description: 'the red one' },
				{ label: 'Blue', description: 'the blue one' },
			],
		},
	],
});

describe.skipIf(cannotRun([program('tmux')]))('claude in a terminal', { timeout: 240_000 }, () => {
	it('closes its permission dialog when Roost answers', async () => {
		await using world = await openTerminal(scriptTurns([TOUCH], [say('Done.')]));
		const ask = await promptUntilAsked(world);
		await world.claude.terminal.waitForScreen(/Do you want to proceed/, 60_000);
		expect(await world.governed.engine.answer(ask.id, { type: 'allow' }, LEA)).toMatchObject({ ok: true });
		await world.claude.terminal.waitForScreen(
			(screen) => screen.includes('Done.') && !screen.includes('Do you want to proceed'),
			20_000,
		);
		expect(existsSync(join(world.governed.claude.project, 'made.txt'))).toBe(true);
		expect(await decisionsOf(world)).toMatchObject([{ decision_type: 'allow', decided_by: 'user', principal: 'lea@test' }]);
	});

	it('closes the ask when the user approves in the terminal first', async () => {
		await using world = await openTerminal(scriptTurns([TOUCH], [say('Done.')]));
		await promptUntilAsked(world);
		await world.claude.terminal.waitForScreen(/Do you want to proceed/, 60_000);
		await world.claude.answerDialog('Enter');
		await world.claude.terminal.waitForScreen(/Done\./, 60_000);
		expect(existsSync(join(world.governed.claude.project, 'made.txt'))).toBe(true);
		expect(await decisionsOf(world)).toMatchObject([
			{ decision_type: 'no_opinion', decided_by: 'terminal', reason: 'the agent reported that the call ran' },
		]);
		expect(world.governed.engine.asks.list({})).toEqual([]);
	});

	it('accepts the answer to a question from Roost', async () => {
		await using world = await openTerminal(scriptTurns([QUESTION], [say('Blue it is.')]));
		const ask = await promptUntilAsked(world);
		expect(ask).toMatchObject({ kind: 'question', tool: 'AskUserQuestion' });
		await world.governed.engine.answer(ask.id, { type: 'answer', answers: { 'Which colour?': 'Blue' } }, LEA);
		await world.claude.terminal.waitForScreen(/Blue it is\./, 60_000);
		expect(JSON.stringify(world.governed.claude.requests.at(-1)?.toolResults)).toContain('Blue');
		expect(await dataOf(world, 'question.answer')).toMatchObject([{ answers: { 'Which colour?': 'Blue' }, decided_by: 'user' }]);
	});

	it('closes the ask when the user presses Esc, and the next prompt starts a new run', async () => {
		await using world = await openTerminal(scriptTurns([TOUCH], [say('Second answer.')]));
		await promptUntilAsked(world);
		await world.claude.terminal.waitForScreen(/Do you want to proceed/, 60_000);
		await world.claude.answerDialog('Escape');
		await waitFor(() => (world.governed.engine.asks.list({}).length === 0 ? true : undefined), {
			what: 'the ask to be closed',
		});
		expect(existsSync(join(world.governed.claude.project, 'made.txt'))).toBe(false);
		await world.claude.waitForStatus('idle');
		await world.claude.prompt('again');
		await world.claude.terminal.waitForScreen(/Second answer\./, 60_000);
		expect(await decisionsOf(world)).toMatchObject([
			{ decision_type: 'no_opinion', decided_by: 'system', reason: 'the agent stopped waiting' },
		]);
		expect((await dataOf(world, 'run.end'))[0]).toMatchObject({ status: 'aborted' });
	});
});

describe.skipIf(cannotRun([program('tmux')]))('enforced claude in a terminal', { timeout: 240_000 }, () => {
	it('waits for Roost without a dialog, asks once, and still asks its questions in the terminal', async () => {
		await using world = await openTerminal(scriptTurns([TOUCH], [QUESTION], [say('Red it is.')]), {
			permissions: { ask: ['Bash'] },
		});
		const ask = await promptUntilAsked(world);
		const { terminal } = world.claude;
		await terminal.waitForScreen(/Waiting for approval in Roost/, 60_000);
		for (const key of ['Enter', '1', 'y']) await terminal.key(key);
		expect(existsSync(join(world.governed.claude.project, 'made.txt'))).toBe(false);
		expect(await world.governed.engine.answer(ask.id, { type: 'allow' }, LEA)).toMatchObject({ ok: true });
		await terminal.waitForScreen(/❯ 1\. Red/, 60_000);
		expect(existsSync(join(world.governed.claude.project, 'made.txt'))).toBe(true);
		await world.claude.waitForStatus('waiting');
		await world.claude.answerDialog('Enter');
		await terminal.waitForScreen(/Red it is\./, 60_000);
		expect(JSON.stringify(world.governed.claude.requests.at(-1)?.toolResults)).toContain('Red');
		expect(await decisionsOf(world)).toMatchObject([{ decision_type: 'allow', decided_by: 'user', principal: 'lea@test' }]);
		expect(await dataOf(world, 'permission.request')).toHaveLength(1);
	});
});

type World = AsyncDisposable & { governed: ObservedClaude; claude: ClaudeTerminal };

/** Enforced if it has its own settings. */
async function openTerminal(script: Script, own?: object): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const governed = stack.use(await openObservedClaude({ script, gate: own ? 'enforce' : 'observe' }));
	const tmux = stack.use(await createTmuxRig());
	const settings = { ...own, ...governed.settings };
	const claude = await openClaudeTerminal(governed.claude, tmux, { settings, env: governed.env });
	const owned = stack.move();
	return { governed, claude, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function promptUntilAsked({ governed, claude }: World): Promise<Ask> {
	await claude.prompt('do it');
	return await waitFor(() => governed.engine.asks.list({})[0], {
		what: 'the ask',
		seen: () => claude.terminal.screen(),
	});
}

async function dataOf<K extends FeedEventKind>({ governed }: World, kind: K): Promise<FeedEventOf<K>['data'][]> {
	return (await governed.feed()).flatMap(({ event }) => (event.kind === kind ? [event.data as FeedEventOf<K>['data']] : []));
}

function decisionsOf(world: World) {
	return dataOf(world, 'permission.decision');
}
