// Terminals through a hub: real programs of a hub and of a runner, a real shell, and the client of the faces.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openNodeTerminalSocket } from '@roost/cli/transport/node-transport';
import { describe, expect, it } from 'vitest';
import { startHubProcess } from '../rigs/hub/hub-process.ts';
import { openShell, openThroughHub } from '../rigs/hub/hub-terminal.ts';
import { openTerminalViewer } from '../rigs/hub/terminal-viewer.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';

const SHELL = { config: { pty: { shell: '/bin/sh' } } };

describe('terminals through a hub', { timeout: 240_000 }, () => {
	it('echoes what is typed, shows floods byte for byte as on the machine, stops one at Ctrl-C, and reattaches after kill -9', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess(SHELL);
		await hub.pair(laptop);
		const open = await openThroughHub(hub.url, laptop);
		const lines = Array.from({ length: 60_000 }, (_, at) => createHash('sha256').update(String(at)).digest('hex'));
		writeFileSync(join(laptop.folder, 'flood'), `${lines.join('\n')}\n`);
		const ids = [await openShell(laptop), await openShell(laptop)] as const;
		const direct = (id: string) =>
			openNodeTerminalSocket(`${laptop.url.replace('http', 'ws')}/api/v1/terminals/${id}`, { token: laptop.token, face: 'cli' });
		using through = openTerminalViewer(() => open(ids[0]));
		using here = openTerminalViewer(() => direct(ids[1]));
		const floods: string[] = [];
		for (const viewer of [through, here]) {
			await viewer.controls();
			viewer.type('echo answer-$((6 * 7))\r');
			await viewer.shows('answer-42');
			viewer.type('clear; cat flood; echo over-$((1 + 1))\r');
			await viewer.shows('over-2', 120_000);
			expect(viewer.seen).toMatchObject({ snapshots: 1, lost: [] });
			const shown = viewer.bytes().toString('latin1');
			floods.push(shown.slice(shown.indexOf(lines[0] ?? '')));
		}
		expect(floods[0]?.length).toBeGreaterThan(60_000 * 65);
		expect(floods[0] === floods[1]).toBe(true);

		through.type('yes flooding\r');
		await through.shows(/flooding\r\n(?:flooding\r\n){100}/);
		through.type('\x03');
		through.type('echo stopped-$((2 + 2))\r');
		await through.shows('stopped-4');

		await hub.kill();
		await hub.restart();
		await through.controls(2);
		through.type('echo again-$((3 + 3))\r');
		await through.shows('again-6');
		expect(through.seen.snapshots).toBe(2);
	});
});
