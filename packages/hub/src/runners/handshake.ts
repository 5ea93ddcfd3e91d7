// The first two frames of a connection: the runner signs a challenge, and the hub answers with the place it has stored up to.
import { randomBytes } from 'node:crypto';
import { verifyText } from '@roost/gateway/access/verify-signature';
import { AppError } from '@roost/protocol/app-error';
import { type HubFrame, LINK_PROTOCOL, type RunnerFrame } from '@roost/protocol/hub/link-frames';
import type { HubId } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import type { LogName } from '@roost/protocol/log-cursor';
import { err, ok, type Result } from '@roost/protocol/result';
import type { HubStore, ReplicaEnd } from '../store/hub-store.ts';
import type { KnownRunner, KnownRunners } from './known-runners.ts';

export type Register = Extract<RunnerFrame, { type: 'runner.register' }>;

export type HubSigner = { readonly id: HubId; sign(text: string): string };

/** `links`: the number of this connection. */
export type Registered = { runner: KnownRunner; log: LogName; end: ReplicaEnd; links: number; reply: HubFrame };

/** This version and the one before. */
const SPOKEN = { min: Math.max(1, LINK_PROTOCOL - 1), max: LINK_PROTOCOL };

export function newChallenge(hub: HubSigner): Extract<HubFrame, { type: 'hub.challenge' }> {
	return { type: 'hub.challenge', nonce: randomBytes(24).toString('base64url'), hub: hub.id, protocol: SPOKEN };
}

export async function register(
	frame: Register,
	nonce: string,
	deps: { hub: HubSigner; runners: KnownRunners; store: Pick<HubStore, 'logs' | 'runners'>; now: () => number },
): Promise<Result<Registered>> {
	const { hub, runners, store, now } = deps;
	const { runnerId, epoch, lastSeqNo, protocol } = frame;
	if (protocol.max < SPOKEN.min || protocol.min > SPOKEN.max) return err(otherProtocol(frame));
	const known = await runners.refresh(runnerId);
	if (!known.ok) return known;
	const runner = known.value;
	const signed = toLinkText({ purpose: 'register', hub: hub.id, nonce, runner: runnerId, epoch, lastSeqNo });
	// The same words for an unknown runner, so that nobody learns which ones exist.
	if (!runner || !verifyText(runner.row.publicKey, signed, frame.signature)) return err(notPaired());
	if (runner.row.revokedAt !== null) return err(revoked());
	const log = await openLog(frame, runner, deps);
	if (!log.ok) return log;
	const end = await store.logs.end(log.value);
	if (!end.ok) return end;
	const links = await store.runners.noteLink(runnerId, { name: frame.runnerName, version: frame.version, at: now() });
	if (!links.ok) return links;
	runner.reached(log.value, end.value.lastSeqNo);
	runner.accepts = frame.accepts;
	runner.announced = lastSeqNo;
	runner.row = { ...runner.row, name: frame.runnerName, version: frame.version };
	const place = { epoch: log.value.epoch, hubSeqNo: end.value.lastSeqNo };
	const signature = hub.sign(toLinkText({ purpose: 'registered', hub: hub.id, nonce: frame.nonce, runner: runnerId, ...place }));
	const reply: HubFrame = {
		type: 'runner.registered',
		...place,
		at: end.value.at,
		assignedSessions: frame.activeSessions,
		config: {},
		signature,
	};
	return ok({ runner, log: log.value, end: end.value, links: links.value, reply });
}

/** Of a newer epoch than is known: from its beginning. Of an older one: the newest, so that the runner learns of it. */
async function openLog(
	{ runnerId, epoch }: Register,
	{ log }: KnownRunner,
	{ store, now }: { store: Pick<HubStore, 'logs'>; now: () => number },
): Promise<Result<LogName>> {
	if (log && epoch <= log.epoch) return ok(log);
	const opened = { runnerId, epoch };
	const why = log
		? `The runner continued from an older state than the hub has; before it was epoch ${log.epoch}.`
		: 'The log began.';
	const stored = await store.logs.openEpoch(opened, why, now());
	return stored.ok ? ok(opened) : stored;
}

function otherProtocol({ version, protocol }: Register): AppError {
	const side = protocol.max < SPOKEN.min ? 'Update Roost on the machine of the runner' : 'Update the hub';
	return new AppError('upgrade_required', `This runner (Roost ${version}) and the hub do not speak the same protocol. ${side}.`);
}

function notPaired(): AppError {
	return new AppError(
		'unauthorized',
		'This runner is not paired with this hub. Run "roost join" on its machine with a new link.',
	);
}

export function revoked(): AppError {
	return new AppError('unauthorized', 'This runner was revoked. Run "roost join" on its machine with a new link.');
}
