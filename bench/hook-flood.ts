// Hook flood: ten seconds of more reports than a runner can process. Agents wait for their replies; memory stays bounded and nothing is lost.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { startBareServer } from './bare-server.ts';
import type { BenchRow } from './bench-row.ts';
import { expectNoContent, openHttpHook, PAYLOAD, type Report } from './hook-client.ts';
import { startRunnerProcess } from './runner-process.ts';

const PER_SECOND = 10_000;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
const AGENTS = 16;
const MOST_MEGABYTES = 64;
const MARK = /toolu_flood(\d+)_/g;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startRunnerProcess(home.path);
	using bare = await startBareServer(home.path);
	using opened = new DisposableStack();
	const unseen = new Set<string>();
	const see = (frame: Buffer) => {
		for (const [, mark = ''] of frame.toString().matchAll(MARK)) unseen.delete(mark);
	};
	opened.use(await runner.subscribe(0, see));
	opened.use(await openCountingSocket(bare.subscribeUrl, {}, see));
	const agents: Report[] = [];
	const bareAgents: Report[] = [];
	for (let index = 0; index < AGENTS; index++) {
		agents.push(opened.use(await runner.openHook()));
		bareAgents.push(opened.use(await openHttpHook({ httpUrl: `http://127.0.0.1:${bare.relayPort}/`, secret: 'none' })));
	}
	await flood(agents, unseen, WARM_UP_SECONDS);
	const before = runner.memory().now;
	const floorValue = await flood(bareAgents, unseen, SECONDS);
	const value = await flood(agents, unseen, SECONDS);
	const more = runner.memory().peak - before;
	const bar = `hook → stored → received by a subscriber, ${PER_SECOND} events/s offered for ${SECONDS} s`;
	const floor = 'plain HTTP, one fdatasync, plain ws';
	return [
		{ bar, floor, floorValue, value, unit: 'events/s', ratio: value / floorValue, target: 'printed, none lost', met: true },
		{
			bar: `${bar}, memory`,
			floor: 'the runner before the flood',
			floorValue: before,
			value: more,
			unit: 'MB',
			ratio: (before + more) / before,
			target: `<= ${MOST_MEGABYTES} MB more`,
			met: more <= MOST_MEGABYTES,
		},
	];
}

let marks = 0;

/** Events per second from the first report until the subscriber has received all answered ones. */
async function flood(agents: readonly Report[], unseen: Set<string>, seconds: number): Promise<number> {
	const started = performance.now();
	const elapsed = () => (performance.now() - started) / 1_000;
	let sent = 0;
	async function reportOn(report: Report, session: number): Promise<void> {
		while (elapsed() < seconds) {
			if (sent >= elapsed() * PER_SECOND) {
				await nextTurn();
				continue;
			}
			sent += 1;
			marks += 1;
			unseen.add(String(marks));
			const hook_event_name = marks % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
			const place = { session_id: `flood-${session}`, tool_use_id: `toolu_flood${marks}_` };
			expectNoContent(await report({ ...PAYLOAD, ...place, hook_event_name }));
		}
	}
	await Promise.all(agents.map(reportOn));
	await waitFor(() => unseen.size === 0 || undefined, { deadlineMs: 20_000, what: 'every report to be seen' });
	return sent / elapsed();
}
