// Two real runners behind a real hub, in one terminal UI.
import { startHubProcess, succeeded } from '@roost/testkit/rigs/hub/hub-process';
import { askToUse, type RunnerProcess, sayPrompt, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';

describe('runners of a hub in a real terminal', { timeout: 240_000 }, () => {
	it('are listed, their requests decided from any of them, and shown as offline when they are killed', async () => {
		await using world = await openWorld();
		const { hub, laptop, desktop } = world;
		await using tui = openTui({ cwd: laptop.folder, env: laptop.env, args: ['--hub', hub.url, '--runner', 'laptop'] });
		await tui.waitForScreen(/^ roost laptop .*paint a heron[\s\S]*live/);
		tui.type('H');
		await tui.waitForScreen(/ {2}● desktop +online[\s\S]*❯ ● laptop +online/);

		const decided = askToUse(world.onDesktop, 'Bash', { command: 'git push' });
		await tui.waitForScreen(/1 at another runner: press w[\s\S]*◐ desktop +online +0 +1/);
		tui.type('w');
		await tui.waitForScreen(/No request at laptop, 1 at another runner[\s\S]* desktop .* Bash git push/);
		tui.type(KEYS.enter);
		await tui.waitForScreen(/^ roost desktop .*paint a stork[\s\S]*── Permission[\s\S]*\$ git push/);
		await pressUntil(tui, 'n', (screen) => !screen.includes('── Permission'));
		expect((await decided).behavior).toBe('deny');

		await desktop.kill();
		await tui.waitForScreen(/^ roost desktop .*offline since \d\d:\d\d[\s\S]*last known: [\s\S]*❯ paint a stork/);
		tui.type('H');
		await tui.waitForScreen(/❯ ■ desktop +offline since \d\d:\d\d/);
		tui.type(`:past${KEYS.enter}`);
		await tui.waitForScreen(/The runner "desktop" is offline since/);
		tui.type(`H${KEYS.down}${KEYS.enter}`);
		await tui.waitForScreen(/^ roost laptop .*paint a heron .*live/);
	});

	it('are chosen by what needs the user, and by the id of a request', async () => {
		await using world = await openWorld();
		const { hub, laptop } = world;
		const atHub = async (...words: string[]) => succeeded(await laptop.roost('--hub', hub.url, ...words));
		const decided = askToUse(world.onDesktop, 'Bash', { command: 'git push' });
		const listed = await waitFor(
			async () => {
				const text = await atHub('asks');
				return text.includes('git push') ? text : undefined;
			},
			{ what: 'the request at the hub' },
		);
		expect(listed).toMatch(/^RUNNER +ASK +STATE +RISK +AGE +WHAT\ndesktop +\S+ +pending/);
		expect(await atHub('--runner', 'laptop', 'asks')).toBe('No pending requests.\n');
		await using tui = openTui({ cwd: laptop.folder, env: laptop.env, args: ['--hub', hub.url] });
		await tui.waitForScreen(/^ roost desktop .*[\s\S]*── Permission[\s\S]*\$ git push/);

		const [id = ''] = /\S+(?= +pending)/.exec(listed) ?? [];
		expect(await atHub('asks', 'show', id)).toContain('$ git push');
		expect(await atHub('deny', id)).toContain('denied: ');
		expect((await decided).behavior).toBe('deny');
		await tui.waitForScreen((screen) => !screen.includes('── Permission'));
		const again = await laptop.roost('--hub', hub.url, 'deny', id);
		expect([again.code === 0, again.stderr]).toEqual([false, expect.stringContaining('denied')]);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const hub = stack.use(await startHubProcess());
	const [laptop, desktop] = [stack.use(await startRunnerProcess()), stack.use(await startRunnerProcess())];
	await hub.pair(laptop, 'laptop');
	await hub.pair(desktop, 'desktop');
	await desktop.roost('rules', 'add', 'ask', 'Bash');
	const onLaptop = await openAgent(laptop, 'paint a heron');
	const onDesktop = await openAgent(desktop, 'paint a stork');
	const owned = stack.move();
	return { hub, laptop, desktop, onLaptop, onDesktop, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openAgent(runner: RunnerProcess, prompt: string) {
	const agent = await runner.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	await sayPrompt(agent, prompt);
	return agent;
}
