// A driven session whose conversation the user opens in another claude: there is one writer at a time.

import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { type ClaudeTerminal, openClaudeTerminal } from '../rigs/agents/claude-terminal.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import type { SessionStory } from '../rigs/runner/session-story.ts';
import { createTmuxRig, type TmuxRig } from '../rigs/terminal/tmux-rig.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const TIMEOUT = { timeout: 180_000 };
const command = () => crypto.randomUUID();

/** Repeats which prompts it received so far. */
const echo: Script = ({ messages }) => {
	const known = ['apple', 'pear', 'plum'].filter((fruit) => JSON.stringify(messages).includes(fruit));
	return message([say(`I know ${known.join(', ')}.`)]);
};

describe('driven session that the user opens in a separate claude', () => {
	it('refuses a second writer, can be forked, and continues afterwards', TIMEOUT, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const session = await roost.start({ prompt: 'apple' });
		await session.until('run.end');
		{
			await using tmux = await createTmuxRig();
			const user = await openByHand(roost, tmux, session);
			const { message: prompt, resume } = roost.api.sessions;
			const { switchMode } = roost.api.settings;
			const sentence = refusal(user);
			expect(unwrapError(await prompt({ commandId: command(), id: session.id, text: 'plum' })).message).toBe(sentence);
			expect(unwrapError(await resume({ commandId: command(), id: session.id })).message).toBe(sentence);
			expect(unwrapError(await switchMode({ commandId: command(), id: session.id, mode: 'pty' })).message).toBe(sentence);
			await session.end();
			expect(unwrapError(await prompt({ commandId: command(), id: session.id, text: 'plum' }))).toMatchObject({
				code: 'conflict',
				message: sentence,
			});
			const fork = await session.fork();
			await fork.say('pear');
			expect((await fork.of('agent.message')).at(-1)?.data.text).toBe('I know apple, pear.');
		}
		await session.say('plum');
		expect((await session.of('agent.message')).at(-1)?.data.text).toBe('I know apple, plum.');
		await session.say('pear');
		expect((await session.of('user.prompt')).map(({ data }) => data.prompt)).toEqual(['apple', 'plum', 'pear']);
	});

	it('stays in its terminal until it is taken back', TIMEOUT, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const { api } = roost;
		const session = await roost.start({ prompt: 'apple' });
		await session.until('run.end');
		const startsBefore = (await session.of('session.start')).length;
		unwrap(await api.settings.switchMode({ commandId: command(), id: session.id, mode: 'pty' }));
		await session.until('session.start', startsBefore + 1);
		{
			await using tmux = await createTmuxRig();
			const user = await openByHand(roost, tmux, session);
			expect(unwrapError(await api.settings.switchMode({ commandId: command(), id: session.id, mode: 'sdk' })).message).toBe(
				refusal(user),
			);
			expect(unwrap(await api.terminals.list())).toMatchObject([{ sessionId: session.id, state: 'running' }]);
		}
		unwrap(await api.settings.switchMode({ commandId: command(), id: session.id, mode: 'sdk' }));
		await session.say('plum');
		expect((await session.of('agent.message')).at(-1)?.data.text).toBe('I know apple, plum.');
	});
});

function refusal({ terminal }: ClaudeTerminal): string {
	return `This conversation is open in another claude, process ${terminal.pid}: end that one first, or fork it.`;
}

/** Like a user: `claude --resume`, in a terminal unknown to Roost. */
async function openByHand(roost: DrivenClaude, tmux: TmuxRig, session: SessionStory): Promise<ClaudeTerminal> {
	const nativeId = (await session.row()).nativeIds.at(-1)?.id ?? expect.fail('the session has no native id');
	const user = await openClaudeTerminal(roost.claude, tmux, {
		args: ['--permission-mode', 'manual', `--resume=${nativeId}`],
	});
	const isOpen = async () => ((await user.readStatus())?.sessionId === nativeId ? true : undefined);
	await waitFor(isOpen, { what: 'claude to name the conversation', seen: user.readStatus });
	return user;
}
