// roost join and leave: pairs this machine's runner and command line with a hub, or ends that.
import { hostname } from 'node:os';
import { createClientOf } from '@roost/client/client-of';
import { resolveHome } from '@roost/home/home';
import { openKeyring } from '@roost/home/hub/keyring';
import { openPinnedRunners } from '@roost/home/hub/known-runners';
import { readPairing, removePairing, writeCliDevice, writePairing } from '@roost/home/hub/pairing';
import { createSigningKey, isSignedBy, type SigningKey, signText } from '@roost/machine/signing-key';
import type { HubLinkStatus } from '@roost/protocol/api/hub-link';
import { AppError } from '@roost/protocol/app-error';
import { hub } from '@roost/protocol/contract/hub';
import { COMMAND_CLASSES } from '@roost/protocol/hub/accepts';
import type { Joined } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { HUB_IS_DOWN } from '../hub/hub-login.ts';
import { parseJoinLink } from '../hub/join-link.ts';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { connectOrStartToDecide } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';
import { nodeFetch } from '../transport/node-transport.ts';

type JoinOptions = { name?: string; json?: boolean };
type Keys = { runner: SigningKey; device: SigningKey };

const LONGEST_NAME = 64;

export async function join(link: string, options: JoinOptions): Promise<void> {
	const { url, code, key } = unwrap(parseJoinLink(link));
	const home = unwrap(resolveHome(process.env));
	const connected = unwrap(await connectOrStartToDecide('join'));
	const before = unwrap(readPairing(home));
	if (before && before.hub.publicKey !== key) {
		const problem = `This machine is paired with the hub "${before.hub.name}" at ${before.url}.`;
		throw new AppError('conflict', `${problem} Run "roost leave" first.`);
	}
	const [own] = unwrap(await connected.api.runners.list());
	if (!own) throw new AppError('internal', 'The runner does not list itself. Update Roost and retry.');
	// The key of a runner that is paired already proves that it is the same one.
	const keys: Keys = { runner: before?.key ?? createSigningKey(), device: createSigningKey() };
	const name = (options.name ?? hostname()).slice(0, LONGEST_NAME);
	const text = toLinkText({ purpose: 'join', code, runnerKey: keys.runner.publicKey, deviceKey: keys.device.publicKey });
	const prove = (which: SigningKey) => ({ name, publicKey: which.publicKey, signature: signText(which, text) });
	const api = createClientOf({ hub }, { baseUrl: url, token: '', face: 'cli', fetch: nodeFetch, ifDown: HUB_IS_DOWN });
	const joined = unwrap(await api.hub.join({ code, runner: { id: own.id, ...prove(keys.runner) }, device: prove(keys.device) }));
	requireHub(joined, { code, key, keys });
	const { user, device } = joined;
	unwrap(writePairing(home, { url, hub: joined.hub, name, key: keys.runner, pairedAt: Date.now() }));
	unwrap(writeCliDevice(home, { url, hub: joined.hub.id, id: device.id, name: device.name, user, key: keys.device }));
	const pinned = { hub: joined.hub.id, id: own.id, publicKey: keys.runner.publicKey, pinnedAt: Date.now() };
	unwrap(openPinnedRunners(home).pin(pinned));
	// A user of this machine may decide here, so the runner trusts this key at once.
	const trusted = { id: device.id, publicKey: keys.device.publicKey, name: device.name, user, kind: 'program' as const };
	unwrap(openKeyring(home).add({ ...trusted, classes: [...COMMAND_CLASSES], addedAt: Date.now(), addedBy: 'roost join' }));
	unwrap(await connected.api.hubLink.connect());
	const status = await waitUntilSettled(connected);
	await print(options, { hub: joined.hub, url, user, device: device.id, status }, [
		`Paired with the hub "${joined.hub.name}" at ${url} as ${user}.`,
		status.state === 'connected'
			? 'The runner is connected.'
			: `The runner is not connected yet: ${status.reason ?? 'it is trying'}`,
		`From this machine, "roost --hub ${url} sessions" reaches every runner of the hub.`,
	]);
}

/** The key in the link came from the screen of the hub, so nobody in between could take its place. */
function requireHub({ hub: found, signature }: Joined, { code, key, keys }: { code: string; key: string; keys: Keys }): void {
	const runnerKey = keys.runner.publicKey;
	const deviceKey = keys.device.publicKey;
	const text = toLinkText({ purpose: 'joined', code, runnerKey, deviceKey, hubKey: key });
	if (found.publicKey === key && isSignedBy(key, text, signature)) return;
	throw new AppError('denied', 'Another hub answered than the one that made this link. Nothing was paired. Check the address.');
}

const LONGEST_WAIT_MS = 10_000;
const LOOK_MS = 100;

async function waitUntilSettled({ api }: Connected): Promise<HubLinkStatus> {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	for (;;) {
		const status = unwrap(await api.hubLink.status());
		if (status.state === 'connected' || status.state === 'refused' || Date.now() >= deadline) return status;
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	}
}

export async function leave(options: { json?: boolean }): Promise<void> {
	const home = unwrap(resolveHome(process.env));
	const connected = unwrap(await connectOrStartToDecide('leave'));
	const before = unwrap(readPairing(home));
	if (!before) return await print(options, { left: false }, ['This machine is not paired with a hub.']);
	unwrap(removePairing(home));
	unwrap(await connected.api.hubLink.connect());
	await print(options, { left: true, hub: before.hub }, [
		`Left the hub "${before.hub.name}". Its copy of your record stays there; an admin can revoke this runner.`,
	]);
}
