// A report without a decision: the latency of its reply with a working disk, and with a disk that hangs.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { startHookServer } from '@roost/agents/hooks/server';
import { projectId, sessionId } from '@roost/protocol/ids';
import { createBindings } from '@roost/runner/observed/bindings';
import { routeLaunch } from '@roost/runner/observed/route-launch';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { createTestEngine } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { expectNoContent, openHttpHook, PAYLOAD } from './hook-client.ts';
import { quantile, timed } from './timing.ts';

const ROUNDS = 4_000;
const WARM_UP = 400;
/** Far below every timeout: the shortest is 4 000 ms. */
const MAX_MS = 10;

export async function run(): Promise<BenchRow[]> {
	const working = await measure((store) => store);
	const stuck = await measure((store) => ({ ...store, append: () => new Promise(() => {}) }));
	const bar = 'reply to a report without a decision, p99 while the disk hangs';
	const floorValue = quantile(working, 0.99);
	const value = quantile(stuck, 0.99);
	const floor = 'with a working disk';
	const target = `< ${MAX_MS} ms`;
	return [{ bar, floor, floorValue, value, unit: 'ms', ratio: value / floorValue, target, met: value < MAX_MS }];
}

async function measure(wrap: (store: Store) => Store): Promise<number[]> {
	await using directory = await createTempDir();
	await using disk = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
	const store = wrap(disk);
	await using server = unwrap(await startHookServer({ runDir: directory.path, now: Date.now, newId: randomUUID }));
	const launch = server.openLaunch({ gate: 'observe', protocol: CLAUDE_HOOK_PROTOCOL });
	const first = sessionId.parse('bench');
	const path = directory.path;
	// Not disposed: on a disk that hangs, disposal would never finish.
	const engine = createTestEngine({ store, summarise: async () => [] });
	using _route = routeLaunch({
		engine,
		bindings: createBindings({ holders: engine.holders, holder: { isAlive: () => true }, first, newSessionId: () => first }),
		runtime: launch.runtime,
		project: { id: projectId.parse(path), path },
		gate: 'observe',
		now: Date.now,
		onProblem: (problem) => {
			throw new Error(problem);
		},
	});
	launch.runtime.start();
	using report = await openHttpHook({ httpUrl: server.httpUrl, secret: launch.secret });
	const times: number[] = [];
	for (let at = 0; at < ROUNDS; at++) {
		const payload = { ...PAYLOAD, hook_event_name: 'PreToolUse', tool_use_id: `toolu_${at}` };
		times.push(await timed(async () => expectNoContent(await report(payload))));
	}
	return times.slice(WARM_UP);
}
