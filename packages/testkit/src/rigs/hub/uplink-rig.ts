// The uplink of a runner over a real store, with a scripted hub, in this process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCallables } from '@roost/gateway/operations/api';
import type { Backend, BackendUpdate } from '@roost/gateway/operations/backend';
import { createCommandProgress } from '@roost/gateway/operations/command-progress';
import { loadConfig } from '@roost/home/config/load-config';
import { resolveHome } from '@roost/home/home';
import type { LogLine } from '@roost/machine/create-log';
import type { SigningKey } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import { contract } from '@roost/protocol/contract/contract';
import { runnerId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err } from '@roost/protocol/result';
import { createReceipts } from '@roost/runner/record/receipts';
import { openRunnerStream } from '@roost/runner/record/runner-stream';
import { openUplink, type Uplink } from '@roost/runner/uplink/open-uplink';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { sampleAppend, sampleEvent, sampleSession } from '../record/sample-append.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { type Pairable, pairWith } from './pair-with.ts';

export const UPLINK_RUNNER = runnerId.parse('runner-1');

export type UplinkRig = AsyncDisposable & {
	readonly uplink: Uplink;
	readonly home: string;
	/** With the hub; then it connects. */
	pair(): void;
	readonly store: Store;
	readonly logged: readonly LogLine[];
	/** Appends prompts to the stream of a session, in one transaction. */
	append(session: string, count: number, text?: string): Promise<LogEntry[]>;
	report(update: Partial<BackendUpdate>): void;
	/** The stored lines. */
	lines(): string[];
	until(state: string): Promise<void>;
};

export type UplinkRigOptions = {
	store?: Store;
	/** The `hub` section of config.yaml. */
	config?: object;
	isPaired?: boolean;
	/** Of operations, by resource and name; the others are errors. */
	handlers?: Parameters<typeof createCallables<typeof contract>>[1];
	/** The clock of the runner. */
	now?: () => number;
	/** Another runner had this home before. */
	home?: string;
	screens?: Backend['screens'];
	/** That the hub knows already. */
	key?: SigningKey;
};

/** Fast, so that tests with many cuts are quick. */
const RECONNECT = { initialDelayMs: 5, maxDelayMs: 20, multiplier: 2 };

export async function openUplinkRig(hub: Pairable, options: UplinkRigOptions = {}): Promise<UplinkRig> {
	const { store = createMemoryStore(), isPaired = true, now = Date.now } = options;
	const temp = await createTempDir();
	const home = options.home ?? temp.path;
	const env = { ROOST_HOME: home, HOME: home };
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({ hub: { reconnect: RECONNECT, ...options.config } }), {
		mode: 0o600,
	});
	if (isPaired) pairWith(hub, home, options.key);
	const handlers = new Set<(update: BackendUpdate) => void>();
	const logged: LogLine[] = [];
	const report: UplinkRig['report'] = (update) => {
		for (const handler of handlers) handler({ entries: [], deltas: [], asks: [], prompts: [], changed: [], ...update });
	};
	const own = unwrap(
		openRunnerStream({ store, runnerId: UPLINK_RUNNER, now: Date.now, onStored: (entries) => report({ entries }) }),
	);
	const receipts = createReceipts({ store, keep: own.keep, recall: () => undefined, redact: (result) => result, now });
	const callables = createCallables(contract, options.handlers ?? {}, { receipts, progress: createCommandProgress(now) });
	const uplink = openUplink({
		home: unwrap(resolveHome(env)),
		config: unwrap(loadConfig({ env })),
		runnerId: UPLINK_RUNNER,
		store,
		own,
		api: new Map(callables.map((one) => [one.name, one])),
		receipts,
		now,
		screens: options.screens ?? { attach: () => err(new AppError('not_found', 'This rig has no terminals.')) },
		onUpdate(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		log: (line) => logged.push(line),
	});
	unwrap(uplink.connect());
	const seqs = new Map<string, number>();
	return {
		uplink,
		home,
		pair() {
			pairWith(hub, home, options.key);
			unwrap(uplink.connect());
		},
		store,
		logged,
		report,
		async append(session, count, text) {
			const events = Array.from({ length: count }, () => {
				const seq = (seqs.get(session) ?? unwrap(store.lastOffset(sampleAppend(session, []).stream))) + 1;
				seqs.set(session, seq);
				return sampleEvent(session, seq, text === undefined ? undefined : { kind: 'agent.message', data: { text } });
			});
			const row = sampleSession(session, { events: seqs.get(session) ?? 0 });
			const { entries } = unwrap(await store.append(sampleAppend(session, events, { session: row })));
			report({ entries });
			return entries;
		},
		lines: () => unwrap(store.read({ runnerId: UPLINK_RUNNER, afterSeqNo: 0, limit: 1_000_000 })).map(({ line }) => line),
		async until(state) {
			await waitFor(() => (unwrap(uplink.status()).state === state ? true : undefined), {
				what: `the state ${state}`,
				seen: () => uplink.status(),
			});
		},
		async [Symbol.asyncDispose]() {
			await uplink[Symbol.asyncDispose]();
			if (options.store === undefined) await store.close();
			await temp[Symbol.asyncDispose]();
		},
	};
}
