// roost web: what the browser is started with, and what is printed without a desktop.
import { readFileSync, statSync } from 'node:fs';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { startProgram } from '@roost/testkit/rigs/program';
import { createFakeDesktop } from '@roost/testkit/rigs/runner/fake-desktop';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { describe, expect, it } from 'vitest';

describe('roost web', () => {
	it('opens a link that logs the browser in, and shows it to no other user', async () => {
		await using world = await openWorld();
		const exit = await world.web({ DISPLAY: ':0' });
		expect(exit).toMatchObject({ code: 0, stdout: `Opening ${world.roost.url} in your browser.\n`, stderr: '' });
		const [file = '', ...more] = await world.desktop.opened();
		expect([more, statSync(file).mode & 0o777]).toEqual([[], 0o600]);
		const url = /url=(http:[^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
		expect(url.startsWith(`${world.roost.url}/`)).toBe(true);
		await registerTestDevice(world.roost.port, new URL(url).hash.replace('#ticket=', ''));
	});

	it('prints the link without a desktop', async () => {
		await using world = await openWorld();
		const { code, stdout } = await world.web({});
		expect([code, world.desktop.isUsed()]).toEqual([0, false]);
		expect(stdout).toMatch(/^Open this link in a browser within 30 seconds, once:\n {2}http:\S+#ticket=\S+\n$/);
	});

	it('creates no link for an agent', async () => {
		await using world = await openWorld();
		const exit = await world.web({ DISPLAY: ':0', ROOST_SESSION: 'k3f9' });
		expect(exit).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Agents cannot do this') });
		expect(world.desktop.isUsed()).toBe(false);
	});
});

async function openWorld() {
	const roost = await startRunnerProcess();
	const desktop = await createFakeDesktop(roost.folder);
	return {
		roost,
		desktop,
		async web(env: Record<string, string>) {
			const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...own } = roost.env;
			const all = { ...own, ...env, PATH: desktop.path(roost.env.PATH) };
			await using program = await startProgram(roostArgv('web'), { cwd: roost.folder, env: all });
			return await program.waitForExit(60_000);
		},
		[Symbol.asyncDispose]: () => roost[Symbol.asyncDispose](),
	};
}
