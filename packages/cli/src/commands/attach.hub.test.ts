// roost attach through a hub, as a user runs it: in a real terminal, with real programs of a hub and of a runner.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalRow } from '@roost/protocol/api/terminals';
import { startHubProcess, succeeded } from '@roost/testkit/rigs/hub/hub-process';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { expect, it } from 'vitest';

const LEAVE = '\x1d\x1d';

it('types, resizes and stops a flood through a hub, and refuses a runner whose key has changed', {
	timeout: 240_000,
}, async () => {
	await using hub = await startHubProcess();
	await using laptop = await startRunnerProcess({ config: { pty: { shell: '/bin/sh' } } });
	await hub.pair(laptop);
	const through = ['--hub', hub.url, '--runner', 'laptop'] as const;
	const attach = (...args: string[]) =>
		openTui({ cwd: laptop.folder, env: { ...laptop.env, PS1: 'ready> ' }, args: [...through, 'attach', ...args] });
	const opened = await laptop.api.terminals.open({ commandId: 'open', projectId: laptop.folder });
	const { id } = terminalRow.parse(opened.ok ? opened.value : {});
	await using tui = attach(id);
	await tui.waitForScreen(/^[$#>] *$/m);
	tui.type('echo number-$((40 + 2)); stty size\r');
	await tui.waitForScreen(/number-42\s+24 80/);
	tui.resize(100, 30);
	tui.type('stty size\r');
	await tui.waitForScreen(/30 100/);
	tui.type('yes flooding\r');
	await tui.waitForScreen(/flooding\nflooding\nflooding/);
	tui.type('\x03');
	tui.type('echo stopped-$((2 + 2))\r');
	await tui.waitForScreen(/stopped-4/);
	tui.type(LEAVE);
	expect(await tui.waitForExit()).toMatchObject({ code: 0 });

	const [own, atHub] = [
		await laptop.roost('runners', '--keys', '--json'),
		await laptop.roost(...through, 'runners', '--keys', '--json'),
	];
	const [here] = JSON.parse(succeeded(own));
	expect(here).toMatchObject({ key: expect.stringMatching(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/), pinned: here.key });
	expect(JSON.parse(succeeded(atHub))).toMatchObject([{ name: 'laptop', key: here.key, pinned: here.key }]);

	const file = join(laptop.home, 'known-runners.json');
	writeFileSync(file, readFileSync(file, 'utf8').replace(/"publicKey": "[^"]+"/, `"publicKey": "${'A'.repeat(43)}"`));
	await using refused = attach(id);
	await refused.waitForScreen((screen) => screen.replaceAll('\n', '').includes('The key of the runner "laptop" has changed'));
	expect((await refused.waitForExit()).code).not.toBe(0);
	expect((await laptop.roost(...through, 'runners', '--keys')).stdout).toContain('changed: known here as');
});
