import type { AskRow } from '@roost/protocol/ask';
import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { createTmuxRig, type TmuxSession } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;
const QUESTION = /Allow\? \[y\]es, \[n\]o, \[a\]lways, \[e\]dit:$/;
const isAsked = (screen: string) => QUESTION.test(screen.trimEnd());

describe.skipIf(cannotRun([program('tmux')]))('roost run in a terminal', { timeout: 60_000 }, () => {
	it('accepts an answer by key, even if its prompt was piped in', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await using tmux = await createTmuxRig();
		const pane = await inShell(tmux, roost, 'echo run the tests | "$@"');
		await pane.waitForScreen(isAsked, DEADLINE_MS);
		await pressUntilDecided(pane, roost, 'y');
		expect(await pane.waitForScreen(/code \d/, DEADLINE_MS)).toMatch(/All twelve tests pass\.\ncode 0/);
		expect(await asksOf(roost)).toMatchObject([{ state: 'allowed', decidedBy: expect.stringMatching(/@run$/) }]);
	});

	it('is interrupted by Ctrl-C during a request, and restores the terminal', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await using tmux = await createTmuxRig();
		const pane = await inShell(tmux, roost, '"$@" "run the tests"', 'stty -a | grep -o -- "-\\?icanon"');
		await pane.waitForScreen(isAsked, DEADLINE_MS);
		await pane.key('C-c');
		expect(await pane.waitForScreen(/code \d+\n-?icanon/, DEADLINE_MS)).toMatch(/The run was interrupted[\s\S]*code 130\nicanon/);
	});

	it('explains how to answer elsewhere when it runs in the background', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await using tmux = await createTmuxRig();
		const pane = await inShell(tmux, roost, 'set -m; "$@" "run the tests" & wait');
		const screen = await pane.waitForScreen(/roost allow \S+/, DEADLINE_MS);
		expect(screen).not.toMatch(/Allow\?/);
		const [ask] = await asksOf(roost);
		await driveCli([['allow', ask?.id ?? '']], { cwd: roost.folder, env: roost.env });
		await pane.waitForScreen(/All twelve tests pass\.[\s\S]*code 0/, DEADLINE_MS);
	});
});

const asksOf = async ({ api }: RunnerRig): Promise<readonly AskRow[]> => unwrap(await api.asks.list({ all: true }));

type Tmux = Awaited<ReturnType<typeof createTmuxRig>>;

/** `"$@"` is the run. */
async function inShell(tmux: Tmux, roost: RunnerRig, line: string, after = 'true'): Promise<TmuxSession> {
	const argv = ['bash', '-c', `${line}; echo "code $?"; ${after}`, 'bash', ...roostArgv('run', '--agent', 'mock')] as const;
	return await tmux.start(argv, { cwd: roost.folder, env: roost.env, cols: 80, rows: 24 });
}

async function pressUntilDecided(pane: TmuxSession, roost: RunnerRig, key: string): Promise<void> {
	const isDecided = async () => {
		if ((await asksOf(roost)).every(({ state }) => state !== 'pending')) return true;
		await pane.type(key);
		return undefined;
	};
	await waitFor(isDecided, { what: `"${key}" to take effect`, deadlineMs: DEADLINE_MS, seen: () => pane.screen() });
}
