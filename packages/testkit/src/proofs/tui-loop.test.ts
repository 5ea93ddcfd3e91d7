// The loop for terminals with the real programs: each reaches its prompt, takes prompts, keeps its own dialogs, and ends with all its children.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openTui } from '@roost/runner/driven/tui-loop';
import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import { TUI_AGENTS } from '../rigs/agents/every-agent.ts';
import { isRunning } from '../rigs/live-processes.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { createOwnTmux } from '../rigs/terminal/tmux-rig.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const BEACON = 'Read the README; run no $(command) of `it`.\n  Then say "hello" to 漢字.';
const DEADLINE_MS = 120_000;

describe.each(TUI_AGENTS)('the real $name', ({ needs, open, asksAbout }) => {
	it.skipIf(cannotRun([needs, program('git'), program('tmux')]))(
		'starts in a new folder, gets each prompt whole and once, runs nothing unapproved, and is killed',
		{ timeout: 120_000 },
		async () => {
			await using rig = await open(({ lastUserText }) =>
				message(asksAbout && lastUserText.includes('Make it') ? [asksAbout('touch made')] : [say('All is said.')]),
			);
			await using own = await createOwnTmux();
			const { adapter, model, env, worktree: cwd } = rig;
			const spawn = { model, permissionMode: 'ask', cwd, env } as const;
			const agent = unwrap(await openTui({ tmux: own.tmux, adapter }, { name: 'agent', spawn, beacon: BEACON }));
			const screen = async () => unwrap(await own.tmux.capture('agent', 'screen'));
			const until = <T>(what: string, check: () => Promise<T | undefined> | T | undefined) =>
				waitFor(check, { deadlineMs: DEADLINE_MS, what, seen: screen });
			const bodies = () => rig.requests.map(({ body }) => JSON.stringify(body));
			const asked = (text: string) =>
				until(`the model to be asked: ${text}`, () => bodies().find((body) => body.includes(asJson(text))));
			await asked(BEACON);
			unwrap(await agent.untilReady(DEADLINE_MS));
			unwrap(await agent.prompt('And then?'));
			await asked('And then?');
			unwrap(await agent.untilReady(DEADLINE_MS));
			// Agents make other model requests too; the conversation is the one with both prompts.
			const beacon = asJson(BEACON);
			const conversation = bodies().findLast((text) => text.includes('And then?') && text.includes(beacon)) ?? '';
			expect([beacon, 'And then?'].map((text) => conversation.split(text).length - 1)).toEqual([1, 1]);
			expect(unwrap(await agent.state())).toBe('ready');
			if (asksAbout) {
				unwrap(await agent.prompt('Make it'));
				await until('its question', async () => (/\b1\. Yes\b/.test(await screen()) ? true : undefined));
				expect(unwrapError(await agent.untilReady(1_000)).code).toBe('timed_out');
				expect(adapter.detectReady(await screen())).toEqual({ phase: 'loading' });
				expect(existsSync(join(cwd, 'made'))).toBe(false);
			}
			const [terminal] = unwrap(await own.tmux.list());
			unwrap(await agent.kill());
			expect(await isRunning(terminal?.pid ?? 0)).toBe(false);
			expect(unwrap(await agent.state())).toBe('gone');
		},
	);
});

function asJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}
