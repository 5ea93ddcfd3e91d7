// The loop for terminals on the real programs: each is taken to its prompt, prompted twice, and ended with everything it started.
import { message, say } from '@roost/testkit/fakes/model-reply';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { createOwnTmux } from '@roost/testkit/rigs/own-tmux';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { TUI_AGENTS } from '@roost/testkit/rigs/tui-agents';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openTui } from '../driven/tui-loop.ts';

const BEACON = 'Read the README; run no $(command) of `it`.\n  Then say "hello" to 漢字.';

describe.each(TUI_AGENTS)('the real $name', ({ needs, open }) => {
	it.skipIf(cannotRun([needs, program('git'), program('tmux')]))(
		'starts in a folder it was never in, takes its first prompt whole and a second one, and is ended without a trace',
		{ timeout: 120_000 },
		async () => {
			await using rig = await open(() => message([say('All is said.')]));
			await using own = await createOwnTmux();
			const { runtime, model, env, worktree: cwd } = rig;
			const spawn = { model, permissionMode: 'ask', cwd, env } as const;
			const agent = unwrap(await openTui({ tmux: own.tmux, runtime }, { name: 'agent', spawn, beacon: BEACON }));
			const asked = (text: string) =>
				waitFor(() => rig.requests.find(({ body }) => JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1))), {
					deadlineMs: 30_000,
					what: `the model to be asked: ${text}`,
					seen: async () => unwrap(await own.tmux.capture('agent', 'screen')),
				});
			await asked(BEACON);
			unwrap(await agent.untilReady(30_000));
			unwrap(await agent.prompt('And then?'));
			await asked('And then?');
			unwrap(await agent.untilReady(30_000));
			// Agents ask the model other things too; the conversation is what holds both prompts.
			const beacon = JSON.stringify(BEACON).slice(1, -1);
			const asks = rig.requests.map(({ body }) => JSON.stringify(body));
			const conversation = asks.findLast((text) => text.includes('And then?') && text.includes(beacon)) ?? '';
			expect([beacon, 'And then?'].map((text) => conversation.split(text).length - 1)).toEqual([1, 1]);
			expect(unwrap(await agent.state())).toBe('ready');
			const [terminal] = unwrap(await own.tmux.list());
			unwrap(await agent.kill());
			expect(await isRunning(terminal?.pid ?? 0)).toBe(false);
			expect(unwrap(await agent.state())).toBe('gone');
		},
	);
});
