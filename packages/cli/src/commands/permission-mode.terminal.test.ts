// The permission mode in which `roost claude` starts the real claude: the user's choice, else one that asks, which is announced.
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { openRoostClaude, type RoostClaude } from '@roost/testkit/rigs/agents/claude-terminal';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** Generous for a busy machine. */
const SOON = 120_000;
const ADDED = 'added --permission-mode manual: Claude asks before it acts.';
const TURNS = { 'make it': [[callTool('Write', { file_path: 'made.txt', content: 'x' })], [say('Made.')]] };
const bySettings = (defaultMode: string) => ({ permissions: { defaultMode } });

describe.skipIf(cannotRun([claude(), program('tmux')]))('permission mode of roost claude', { timeout: 120_000 }, () => {
	it.each([
		['settings of the user', ['claude'], bySettings('acceptEdits')],
		['settings on the command line', ['claude', '--settings', JSON.stringify(bySettings('acceptEdits'))], bySettings('plan')],
		['a flag', ['claude', '--permission-mode', 'acceptEdits'], bySettings('plan')],
	])('follows %s, whatever the repository sets', async (_who, args, user) => {
		await using world = await openRoostClaude(TURNS, {
			args,
			user: { 'settings.json': user },
			project: { '.claude/settings.json': bySettings('plan'), '.claude/settings.local.json': bySettings('plan') },
		});
		expect(await world.agent.screen()).toMatch(/accept edits on/);
		expect(await world.agent.screen()).not.toContain(ADDED);
	});

	it.each([
		['observed', ['claude'], {}],
		['enforced', ['claude', '--enforce'], { '.claude/settings.json': bySettings('acceptEdits') }],
	])('defaults to manual, shown in Claude, in the feed and in the session details: %s', async (_how, args, project) => {
		await using world = await openRoostClaude(TURNS, { args, project });
		await world.agent.waitForScreen((screen) => screen.replaceAll(/\s+/g, ' ').includes(`Roost ${ADDED}`), SOON);
		expect(await world.agent.screen()).toContain('manual mode on');
		const session = await waitFor(async () => JSON.parse((await roost(world, 'sessions', '--json'))[0]?.stdout ?? '[]')[0]?.id, {
			deadlineMs: SOON,
			what: 'the session',
		});
		const facts = await roost(world, 'feed', session, '--kind', 'notification');
		expect(facts[0]?.stdout).toContain(ADDED);
		expect((await roost(world, 'sessions', 'show', session))[0]?.stdout).toMatch(new RegExp(`^launch +${ADDED}`, 'm'));
	});
});

function roost({ project, env }: RoostClaude, ...args: string[]) {
	return driveCli([args], { cwd: project, env: { ...env } });
}
