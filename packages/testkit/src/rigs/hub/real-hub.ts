// The hub's own link server and SQLite store in this process, behind a proxy that can break its connections.
import { createLocalNetwork } from '@roost/hub/bus/local-bus';
import type { LinkLimits } from '@roost/hub/runners/link-server';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Seeded } from '../seeded.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { type ChaosProxy, startChaosProxy } from './chaos-proxy.ts';
import { createFaultyBus } from './faulty-bus.ts';
import { HUB_IDENTITY, type HubNodeRig, startNodeOver } from './hub-node.ts';
import type { Pairable } from './pair-with.ts';
import { logOf, sampleRunner } from './sample-log.ts';
import { RUNNER_KEY } from './scripted-runner.ts';

export type RealHub = AsyncDisposable &
	Pairable & {
		readonly node: HubNodeRig;
		readonly proxy: ChaosProxy;
		/** Without the proxy. */
		readonly directUrl: string;
		/** Of `runner-1`, as somebody saw them who follows it. */
		readonly seen: readonly LogEntry[];
		lines(epoch?: number): Promise<string[]>;
		/** Waits until it has these lines of the current epoch, and who follows saw them. */
		has(lines: readonly string[]): Promise<void>;
	};

export type RealHubOptions = { path: string; random: Seeded; limits?: Partial<LinkLimits>; now?: () => number; sweepMs?: number };

export async function startRealHub({ path, random, limits, now, sweepMs = 100 }: RealHubOptions): Promise<RealHub> {
	await using stack = new AsyncDisposableStack();
	const store = unwrap(openSqliteHubStore({ path }));
	if (unwrap(await store.runners.list()).length === 0) {
		unwrap(await store.runners.pair(sampleRunner('runner-1', RUNNER_KEY.publicKey)));
	}
	const bus = createFaultyBus(createLocalNetwork().join());
	const times = { ...(limits ? { limits } : {}), ...(now ? { now } : {}) };
	const node = stack.use(await startNodeOver({ store, bus, name: 'alone', sweepMs, ...times }));
	const proxy = stack.use(await startChaosProxy(Number(new URL(node.url).port), random));
	const seen: LogEntry[] = [];
	stack.defer(node.runner().onUpdate(({ entries }) => seen.push(...entries)));

	async function lines(epoch = node.runner().log?.epoch ?? 1): Promise<string[]> {
		const read = await store.logs.read(logOf('runner-1', epoch), { afterSeqNo: 0, limit: 10_000_000 });
		return unwrap(read).map(({ line }) => line);
	}
	const owned = stack.move();
	return {
		url: `http://127.0.0.1:${proxy.port}`,
		identity: HUB_IDENTITY,
		runnerKey: RUNNER_KEY.publicKey,
		node,
		proxy,
		directUrl: node.url,
		seen,
		lines,
		async has(expected) {
			await waitFor(
				async () =>
					(unwrap(await store.logs.end(logOf('runner-1', node.runner().log?.epoch))).lastSeqNo >= expected.length &&
						seen.length >= expected.length) ||
					undefined,
				{
					what: `${expected.length} lines at the hub`,
					seen: () => ({ seen: seen.length, end: node.runner().lastSeqNo, online: node.runner().isOnline }),
				},
			);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
