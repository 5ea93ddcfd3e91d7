// The runner's side of a hub: paired or not, connected or not, as the files of its home say. Wiring only.
import { randomBytes } from 'node:crypto';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { Home } from '@roost/home/home';
import { openKeyring } from '@roost/home/hub/keyring';
import { type HubPairing, readPairing } from '@roost/home/hub/pairing';
import { VERSION } from '@roost/home/version';
import type { LogLine } from '@roost/machine/create-log';
import { realTimers, steadyNow } from '@roost/machine/timers';
import type { HubLinkStatus } from '@roost/protocol/api/hub-link';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import type { RunnerStream } from '../record/runner-stream.ts';
import { dialWebSocket } from './dial.ts';
import { dialChannel } from './dial-channel.ts';
import { createForwarded, type ForwardedDeps } from './forwarded.ts';
import type { Registration } from './handshake.ts';
import { createHubCalls } from './hub-calls.ts';
import { createLink, type Link } from './link.ts';
import { createMarks } from './marks.ts';
import { createRefusals } from './refusals.ts';
import { createTerminalDoor } from './terminal-door.ts';

export type Uplink = AsyncDisposable & {
	/** Connects as the pairing in the home says; called again when it has changed. */
	connect(): Result<HubLinkStatus>;
	status(): Result<HubLinkStatus>;
};

export type UplinkDeps = Pick<ForwardedDeps, 'api' | 'receipts'> & {
	home: Home;
	config: RunnerConfig;
	runnerId: RunnerId;
	store: Store;
	own: Pick<RunnerStream, 'record'>;
	onUpdate: Backend['onUpdate'];
	screens: Backend['screens'];
	/** By default the clock of this machine. */
	now?: () => number;
	log: (line: LogLine) => void;
};

export function openUplink(deps: UplinkDeps): Uplink {
	const { home, config, runnerId, store, log, now = Date.now } = deps;
	const warn = (msg: string) => log({ level: 'warn', msg });
	const marks = createMarks({ outbox: store.outbox, timers: realTimers, warn });
	const forwarded = createForwarded({
		...deps,
		accepts: config.hub.accepts,
		keyring: openKeyring(home),
		refusals: createRefusals({ own: deps.own, now: steadyNow, warn }),
		now,
		warn,
	});
	const { screens } = deps;
	const door = createTerminalDoor({ runnerId, screens, admission: forwarded, dial: dialChannel, timers: realTimers });
	const calls = createHubCalls(forwarded, (frame) => void (pairing && door.open(frame, pairing)));
	let pairing: HubPairing | null = null;
	const link = createLink({
		store,
		register: () => toRegistration(deps),
		dial: dialWebSocket,
		timers: realTimers,
		now,
		random: Math.random,
		backoff: config.hub.reconnect,
		jitter: config.hub.reconnect.jitter,
		heartbeatMs: config.hub.heartbeatIntervalMs,
		soon: (run) => void setImmediate(run),
		onAcknowledged: (epoch, seqNo) => marks.note({ runnerId, epoch, seqNo }),
		onOpen: calls.open,
		onCall: calls.take,
		onUnreadable: calls.takeUnreadable,
		onClosed: calls.close,
		openEpoch: (why, known) => openEpoch(deps, why, known),
		log: (level, msg) => log({ level, msg }),
	});
	const stop = deps.onUpdate(({ deltas }) => {
		link.hint();
		if (deltas.length > 0) link.offerDeltas(deltas);
	});

	const status = (): Result<HubLinkStatus> => toStatus(deps, link, pairing);
	return {
		status,
		connect() {
			door.closeAll();
			const read = config.hub.enabled ? readPairing(home) : ok(null);
			if (!read.ok) {
				link.use(null, read.error.message);
				return read;
			}
			pairing = read.value && { ...read.value, url: config.hub.url ?? read.value.url };
			link.use(pairing);
			return status();
		},
		async [Symbol.asyncDispose]() {
			stop();
			link[Symbol.dispose]();
			door[Symbol.dispose]();
			await marks[Symbol.asyncDispose]();
		},
	};
}

const NONCE_BYTES = 24;
const MOST_ACTIVE = 1_000;

function toRegistration({ config, runnerId, store }: UplinkDeps): Result<Registration> {
	const epoch = store.epoch();
	if (!epoch.ok) return epoch;
	const state = store.outbox.state(runnerId);
	if (!state.ok) return state;
	const active = store.sessions({ unfinished: true, limit: MOST_ACTIVE });
	if (!active.ok) return active;
	return ok({
		runnerId,
		version: VERSION,
		capabilities: ['sdk', 'pty', 'plugins', 'mcp'],
		activeSessions: active.value.map(({ id }) => id),
		epoch: epoch.value,
		lastSeqNo: state.value.lastSeqNo,
		accepts: config.hub.accepts,
		nonce: randomBytes(NONCE_BYTES).toString('base64url'),
	});
}

/** The log continues from an older state than the hub has seen. */
async function openEpoch({ store, own }: UplinkDeps, why: string, known: number): Promise<Result<void>> {
	const opened = await store.openEpoch(why, Date.now(), known);
	if (!opened.ok) return opened;
	const reason = `${why} The record was restored from an older state. It continues as epoch ${opened.value}.`;
	return await own.record({ kind: 'runtime.status', data: { status: 'gap', reason } });
}

function toStatus({ store, runnerId }: UplinkDeps, link: Link, pairing: HubPairing | null): Result<HubLinkStatus> {
	const outbox = store.outbox.state(runnerId);
	if (!outbox.ok) return outbox;
	const { lastSeqNo, flushedSeqNo } = outbox.value;
	const behind = pairing ? lastSeqNo - Math.max(flushedSeqNo, link.acknowledged()) : 0;
	return ok({ ...link.status(), hub: pairing && { name: pairing.hub.name, url: pairing.url }, behind });
}
