// roost claude --enforce in tmux: every screen shows that Roost decides, and its runner is not stopped by accident.
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { openRoostClaude, type RoostClaude } from '@roost/testkit/rigs/agents/claude-terminal';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { expect, it } from 'vitest';

/** Generous for a busy machine. */
const SOON = 120_000;

it.skipIf(cannotRun([claude(), program('tmux')]))(
	'shows that a session is enforced, and asks before its runner is stopped',
	{ timeout: 180_000 },
	async () => {
		const touch = callTool('Bash', { command: 'touch made.txt', description: 'Make a file' });
		await using world = await openRoostClaude({ 'make it': [[touch], [say('Made.')]] }, { args: ['claude', '--enforce'] });
		await world.prompt('make it');
		await world.agent.waitForScreen(/Waiting for approval in Roost/, SOON);

		const ui = await world.open();
		await ui.waitForScreen(/ {2}enforced {2}make it/, SOON);
		const [list] = await roost(world, ['sessions', '--json']);
		const [{ id, gate }] = JSON.parse(list?.stdout ?? '');
		expect(gate).toBe('enforce');
		const [table, shown, refused] = await roost(world, ['sessions'], ['sessions', 'show', id], ['down']);
		expect(table?.stdout).toMatch(/ claude +waiting for you +enforced /);
		expect(shown?.stdout).toMatch(/^mode +enforced$/m);
		expect(refused).toMatchObject({ code: 2, stdout: '' });
		expect(refused?.stderr.trim()).toBe(
			`roost: The runner was not stopped: 1 enforced session is running (${id} claude), and its calls are blocked while no runner is up. End it first, or run "roost down --force".`,
		);

		const asked = await world.open('down');
		await asked.waitForScreen(/Stop the runner\? \[y\/N\]/, SOON);
		await asked.key('n');
		await asked.key('Enter');
		await asked.waitForScreen(/Pane is dead|still up/, SOON);
		const [before, forced, after] = await roost(world, ['status'], ['down', '--force'], ['status']);
		expect(before?.stdout).toContain('The runner is up');
		expect(forced).toMatchObject({ code: 0 });
		expect(after?.stdout).toContain('No runner is up');
	},
);

function roost({ project, env }: RoostClaude, ...runs: string[][]) {
	return driveCli(runs, { cwd: project, env: { ...env } });
}
