// Event flood: driven agents report 10,000 events a second inside the runner, each call allowed by a rule; a subscriber receives what is stored.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRuntimeCore } from '@roost/agents/base/runtime-core';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type EventParts, fillDefaults, MOCK_CAPABILITIES } from '@roost/agents/mock/fill-defaults';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { realTimers } from '@roost/machine/timers';
import { openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import type { BenchRow } from './bench-row.ts';
import { PAYLOAD } from './hook-client.ts';
import { RUNNER_FLAGS, readMemory } from './runner-process.ts';
import { quantile } from './timing.ts';

const PER_SECOND = 10_000;
const SECONDS = 10;
const WARM_UP_SECONDS = 4;
const AGENTS = 16;
const MIN_SHARE = 0.98;
/** A queue that grows for ten seconds would delay the last events by seconds. */
const MOST_MS = 500;
const MOST_MEGABYTES = 64;
/** The number and the time of a call, in its last event. */
const MARK = /"kind":"tool\.(?:post|failure)".*?toolu_(\d+)_(\d+)_/;

export async function run(): Promise<BenchRow[]> {
	const child = fork(fileURLToPath(import.meta.url), ['flood'], { execArgv: ['--conditions=source', ...RUNNER_FLAGS] });
	try {
		const [place]: { url: string; token: string }[] = await once(child, 'message');
		if (!place) throw new Error('the runner has no address');
		const { url, token } = place;
		const times: number[] = [];
		using _subscriber = await subscribe(url, token, (ms) => times.push(ms));
		await flood(child, times, WARM_UP_SECONDS);
		times.length = 0;
		const before = readMemory(child.pid ?? 0).now;
		const value = await flood(child, times, SECONDS);
		return toRows(value, times, { before, peak: readMemory(child.pid ?? 0).peak });
	} finally {
		child.kill();
	}
}

function toRows(value: number, times: readonly number[], { before, peak }: { before: number; peak: number }): BenchRow[] {
	const bar = `${AGENTS} driven agents → stored → received by a subscriber, ${SECONDS} s`;
	const p50 = quantile([...times], 0.5);
	const p99 = quantile([...times], 0.99);
	const ratio = value / PER_SECOND;
	const late = { bar: `${bar}, p99`, floor: 'p50 of the same run', floorValue: p50, value: p99, unit: 'ms' };
	const memory = { bar: `${bar}, memory`, floor: 'the runner before the flood', floorValue: before, unit: 'MB' };
	return [
		{
			...{ bar, floor: 'events reported', floorValue: PER_SECOND, value, unit: 'events/s', ratio },
			...{ target: `>= ${MIN_SHARE}x`, met: ratio >= MIN_SHARE },
		},
		{ ...late, ratio: p99 / p50, target: `<= ${MOST_MS} ms`, met: p99 <= MOST_MS },
		{
			...{ ...memory, value: peak - before, ratio: peak / before },
			...{ target: `<= ${MOST_MEGABYTES} MB more`, met: peak - before <= MOST_MEGABYTES },
		},
	];
}

/** Events per second from the first report until the subscriber has received all of them. */
async function flood(child: ChildProcess, times: readonly number[], seconds: number): Promise<number> {
	const started = performance.now();
	const events = PER_SECOND * seconds;
	child.send(events);
	await waitFor(() => times.length >= events / 2 || undefined, {
		deadlineMs: 60_000,
		what: 'the last event of every call',
		seen: () => times.length,
		everyMs: 5,
	});
	return events / ((performance.now() - started) / 1_000);
}

/** Calls `onCall` with the age of the last event of each call. */
async function subscribe(url: string, token: string, onCall: (ms: number) => void) {
	const headers = { authorization: `Bearer ${token}` };
	const socket = await openCountingSocket(`${url.replace('http', 'ws')}/api/v1/stream`, headers, (frame) => {
		const mark = MARK.exec(frame.toString());
		if (mark) onCall(Date.now() - Number(mark[2]));
	});
	socket.send(JSON.stringify({ type: 'subscribe-all', sub: 'bench', after: null }));
	return socket;
}

/** The runner, with agents that report on request. */
async function serveFloods(): Promise<void> {
	const agents: Emit[] = [];
	const mock = mockAgent();
	const drives: DrivableAgent = {
		...mock,
		open(request) {
			const { runtime, emit } = openAgent();
			agents.push(emit);
			return { runtime, connection: mock.open(request).connection };
		},
	};
	await using roost = await startRunner({ drives });
	unwrap(await roost.api.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user' }));
	for (let at = 0; at < AGENTS; at++) await roost.startSession();
	process.send?.({ url: roost.url, token: roost.token });
	for (;;) {
		const [events]: number[] = await once(process, 'message');
		await report(agents, events ?? 0);
	}
}

type Emit = (parts: EventParts) => void;

function openAgent() {
	const deps = {
		capabilities: MOCK_CAPABILITIES,
		gate: 'enforce',
		timers: realTimers,
		now: Date.now,
		newId: randomUUID,
	} as const;
	const { runtime, offer } = createRuntimeCore(deps);
	let events = 0;
	const emit: Emit = (parts) => {
		events += 1;
		unwrap(offer(fillDefaults(parts, { id: `event-${events}`, timestamp: Date.now() }), () => {}));
	};
	return { runtime, emit };
}

let calls = 0;

/** Two events per call, at a constant rate whatever became of the earlier ones. */
async function report(agents: readonly Emit[], events: number): Promise<void> {
	const { tool_name, tool_input, tool_response } = PAYLOAD;
	const started = performance.now();
	let sent = 0;
	while (sent < events) {
		const due = Math.min(events, ((performance.now() - started) / 1_000) * PER_SECOND);
		while (sent < due) {
			calls += 1;
			sent += 2;
			const emit = agents[calls % agents.length];
			const call = { toolName: tool_name, toolUseId: `toolu_${calls}_${Date.now()}_` };
			emit?.({ ...call, hookName: 'PreToolUse', payload: { tool_name, tool_input } });
			emit?.({ ...call, hookName: 'PostToolUse', payload: { tool_name, tool_input, tool_response } });
		}
		await nextTurn();
	}
}

if (process.argv[2] === 'flood') await serveFloods();
