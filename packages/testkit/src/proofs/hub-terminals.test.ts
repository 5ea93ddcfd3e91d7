// Terminals through a hub: real programs of a hub and of a runner, a real shell, and the client of the faces.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openNodeTerminalSocket } from '@roost/cli/transport/node-transport';
import { type RunnerRow, runnerRow } from '@roost/protocol/hub/runners';
import { describe, expect, it } from 'vitest';
import { openGreedyViewer } from '../rigs/hub/greedy-viewer.ts';
import { startHubProcess, succeeded } from '../rigs/hub/hub-process.ts';
import { openShell, openThroughHub } from '../rigs/hub/hub-terminal.ts';
import { startRecordingProxy } from '../rigs/hub/recording-proxy.ts';
import { openTerminalViewer } from '../rigs/hub/terminal-viewer.ts';
import { type RunnerProcess, sayPrompt, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
const MIB = 1024 * 1024;
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

	it('neither sends nor receives anything in the clear that is typed or printed', async () => {
		await using proxy = await startRecordingProxy();
		await using hub = await startHubProcess({ args: ['--url', proxy.url] });
		proxy.target = Number(new URL(hub.url).port);
		await using laptop = await startRunnerProcess(SHELL);
		await hub.pair(laptop);
		const open = await openThroughHub(proxy.url, laptop);
		const id = await openShell(laptop);
		using viewer = openTerminalViewer(() => open(id));
		await viewer.controls();
		viewer.type('secret=TYPED; echo $secret-printed; echo UFJJTlRFRA== | base64 -d\r');
		await viewer.shows('TYPED-printed');
		await viewer.shows('PRINTED');
		const [received, sent] = [proxy.received(), proxy.sent()];
		const passed = Buffer.concat([received, sent, unmask(received)]);
		// The recording has what passed: the terminal by its ID, the answer of the runner, the frames of the log.
		for (const clear of [`terminals/${id}`, '"terminals.attached"', 'terminals.attach"', '"channel.join"', 'terminal.open"'])
			expect([clear, passed.includes(clear)]).toEqual([clear, true]);
		for (const words of ['TYPED', 'printed', 'PRINTED', 'UFJJTlRFRA', 'secret='])
			for (const coded of [words, Buffer.from(words).toString('base64').replace(/=+$/, '')])
				expect([coded, passed.includes(coded)]).toEqual([coded, false]);
	});

	it('bounds the memory of a viewer that never reads, and the log of its runner still flows', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess(SHELL);
		await hub.pair(laptop);
		const open = await openThroughHub(hub.url, laptop);
		const id = await openShell(laptop);
		const agent = await laptop.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		await sayPrompt(agent, 'before the flood');
		const hasPrompt = async (text: string) => (await feed(hub.url, laptop, agent.sessionId)).includes(text) || undefined;
		await waitFor(() => hasPrompt('before the flood'), { what: 'the log' });
		using first = openTerminalViewer(() => open(id));
		await first.controls();
		const before = rssOf(hub.program.pid);
		// It confirms what it was never sent, so that the runner sends on and on, and reads nothing.
		using greedy = await openGreedyViewer(hub.url, laptop, { runner: await rowOf(hub.url, laptop), terminal: id });
		first.type('yes 0123456789abcdefghijklmnopqrstuvwxyz\r');
		await first.shows('0123456789');
		await waitFor(() => (first.received() > 24 * MIB ? true : undefined), {
			what: 'a flood',
			seen: first.received,
			deadlineMs: 120_000,
		});
		await sayPrompt(agent, 'while the flood goes on');
		await waitFor(() => hasPrompt('while the flood goes on'), { what: 'the log in a flood' });
		expect(greedy.read()).toBeLessThan(4 * MIB);
		expect(rssOf(hub.program.pid) - before).toBeLessThan(64 * MIB);
		first.type('\x03');
		first.type('echo stopped-$((2 + 2))\r');
		await first.shows('stopped-4');
	});
});

async function feed(hub: string, { roost }: RunnerProcess, session: string): Promise<string> {
	return (await roost('--hub', hub, 'feed', session, '--json')).stdout;
}

async function rowOf(hub: string, { roost }: RunnerProcess): Promise<RunnerRow> {
	const rows = runnerRow.array().parse(JSON.parse(succeeded(await roost('--hub', hub, 'runners', '--json'))));
	return rows[0] ?? expect.unreachable('a runner');
}

function rssOf(pid: number): number {
	return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** The messages of WebSocket clients as they were before they were masked; other bytes are left out. */
function unmask(bytes: Buffer): Buffer {
	const parts: Buffer[] = [];
	// Frames of several connections are mixed, so each place where a short masked frame could begin is tried.
	for (let at = 0; at + 6 < bytes.length; at++) {
		const [head = 0, second = 0] = bytes.subarray(at, at + 2);
		if ((head !== 0x81 && head !== 0x82) || (second & 0x80) === 0) continue;
		const isLong = (second & 0x7f) === 126;
		const size = isLong ? bytes.readUInt16BE(at + 2) : second & 0x7f;
		const maskAt = at + (isLong ? 4 : 2);
		const mask = bytes.subarray(maskAt, maskAt + 4);
		if (size > 126 && !isLong) continue;
		parts.push(Buffer.from(bytes.subarray(maskAt + 4, maskAt + 4 + size).map((byte, index) => byte ^ (mask[index % 4] ?? 0))));
	}
	return Buffer.concat(parts);
}
