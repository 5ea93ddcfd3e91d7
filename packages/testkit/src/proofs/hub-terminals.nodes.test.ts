// A terminal whose face and runner are at different nodes of a hub: real programs, Postgres and NATS.
import { cpSync } from 'node:fs';
import { openNodeTerminalSocket } from '@roost/cli/transport/node-transport';
import { readCliDevice, writeCliDevice } from '@roost/home/hub/pairing';
import { describe, expect, it } from 'vitest';
import { startHubProcess } from '../rigs/hub/hub-process.ts';
import { openShell, openThroughHub } from '../rigs/hub/hub-terminal.ts';
import { natsServer, startNats } from '../rigs/hub/nats.ts';
import { postgres, startPostgres } from '../rigs/hub/postgres.ts';
import { openTerminalViewer } from '../rigs/hub/terminal-viewer.ts';
import { cannotRun } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

describe.skipIf(cannotRun([postgres(), natsServer()]))('terminals across nodes of a hub', { timeout: 300_000 }, () => {
	it('pass byte for byte, survive kill -9 of either node, and are refused at once without NATS', async () => {
		await using database = await startPostgres();
		await using nats = await startNats();
		const config = { hub: { database: await database.createDatabase(), nats: nats.url } };
		await using a = await startHubProcess({ config });
		await using b = await startHubProcess({ config });
		await using laptop = await startRunnerProcess({ config: { pty: { shell: '/bin/sh' } } });
		await a.pair(laptop);
		await using temp = await createTempDir();
		// The same device, which reaches the hub at its other node.
		cpSync(laptop.home, temp.path, { recursive: true, filter: (path) => !path.startsWith(`${laptop.home}/run`) });
		const device = unwrap(readCliDevice({ data: laptop.home })) ?? expect.unreachable('a device');
		unwrap(writeCliDevice({ data: temp.path }, { ...device, url: b.url }));
		const open = await openThroughHub(b.url, { env: { ...laptop.env, ROOST_HOME: temp.path } });
		const id = await openShell(laptop);
		using viewer = openTerminalViewer(() => open(id));
		await viewer.controls();
		viewer.type('echo across-$((1 + 1))\r');
		await viewer.shows('across-2');
		viewer.type('clear; seq 1000000 1400000; echo over-$((2 + 2))\r');
		await viewer.shows('over-4', 120_000);
		const shown = viewer.bytes().toString('latin1');
		const numbers = Array.from({ length: 400_001 }, (_, at) => `${1_000_000 + at}\r\n`).join('');
		expect(shown.includes(numbers)).toBe(true);
		expect(viewer.seen).toMatchObject({ snapshots: 1, lost: [] });

		await a.kill();
		await waitFor(() => viewer.seen.lost[0], { what: 'the lost node of the runner', deadlineMs: 5_000 });
		await a.restart();
		await viewer.controls(2);
		viewer.type('echo again-$((3 + 3))\r');
		await viewer.shows('again-6');

		await b.kill();
		await b.restart();
		await viewer.controls(3);
		viewer.type('echo back-$((4 + 4))\r');
		await viewer.shows('back-8');

		const before = viewer.seen.lost.length;
		await nats.kill();
		await waitFor(() => viewer.seen.lost.slice(before).find((reason) => reason.includes('cannot reach each other')), {
			what: 'the refusal without NATS',
			seen: () => viewer.seen.lost,
		});
		using near = openTerminalViewer(() =>
			openNodeTerminalSocket(`${laptop.url.replace('http', 'ws')}/api/v1/terminals/${id}`, { token: laptop.token, face: 'cli' }),
		);
		await near.shows('back-8');
		await nats.start();
		await viewer.controls(4);
		await viewer.shows('back-8');
	});
});
