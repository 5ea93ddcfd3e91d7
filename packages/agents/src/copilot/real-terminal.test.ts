// The real copilot in a terminal: Roost recognises each of its screens.
import { createGate } from '@roost/testkit/fakes/gate';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { ReadyState } from '../base/types.ts';
import { createCopilotAdapter } from './copilot-adapter.ts';

const copilot = createCopilotAdapter();
const DEADLINE_MS = 120_000;

describe.skipIf(cannotRun([program('tmux'), agentProgram('copilot')]))('real Copilot in a terminal', () => {
	it(
		'is detected as dialog, loading and ready on a narrow screen',
		async () => {
			const gate = createGate();
			await using home = await openCopilotRig({
				script: ({ lastUserText, toolResults }) => {
					if (toolResults.length > 0) return message([say('done')]);
					if (lastUserText.includes('slowly')) return message([say('one ', 'two')], { pace: { gate } });
					return message([copilotWords.shell('touch made')]);
				},
			});
			await using tmux = await createTmuxRig();
			const session = await tmux.start([home.program], { env: home.env, cwd: home.project, cols: 80, rows: 24 });
			const until = (phase: ReadyState['phase'], sign: RegExp) =>
				session.waitForScreen((screen) => copilot.detectReady(screen).phase === phase && sign.test(screen), DEADLINE_MS);
			const enter = async (text: string) => {
				await waitFor(
					async () => {
						await session.type(text);
						return (await session.screen()).includes(text) ? true : undefined;
					},
					{ deadlineMs: DEADLINE_MS, what: `"${text}" to be shown`, everyMs: 500 },
				);
				await session.key('Enter');
			};
			expect(copilot.detectReady(await until('dialog', /trust/i))).toEqual({ phase: 'dialog', action: 'Enter' });
			await session.key('Enter');
			await until('ready', /commands/);
			await enter('slowly');
			await until('loading', /interrupt/);
			gate.open();
			await until('ready', /one two/);
			await enter('make it');
			// A permission dialog is for people: no key is returned for it.
			await until('loading', /Do you want to run/);
			await session.key('Enter');
			await until('ready', /done/);
		},
		DEADLINE_MS * 2,
	);
});
