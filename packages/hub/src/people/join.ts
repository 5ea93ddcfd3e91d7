// `POST /join`: pairs a runner, and the command line on its machine, with the user of a code. Each key proves itself.
import type { Attempts } from '@roost/gateway/access/attempts';
import type { Logins } from '@roost/gateway/access/secrets';
import { toDeviceId, verifyText } from '@roost/gateway/access/verify-signature';
import type { GatewayContext } from '@roost/gateway/operations/api';
import { programOrigin } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { JoinBody, Joined } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { HubRunner, HubStore } from '../store/hub-store.ts';
import type { HubOwnKey } from './identity.ts';
import type { PairingCodes } from './pairing-codes.ts';
import type { People } from './people.ts';

export type JoinDeps = {
	hub: HubOwnKey;
	store: Pick<HubStore, 'runners' | 'people' | 'audit'>;
	codes: PairingCodes;
	people: Pick<People, 'refresh'>;
	logins: Pick<Logins, 'issue'>;
	attempts: Attempts;
	/** The list of runners in memory is out of date. */
	onRunnerChanged(id: RunnerId): Promise<Result<unknown>>;
	now: () => number;
};

export function joinHandler(deps: JoinDeps) {
	const { hub, store, codes, people, logins, now } = deps;

	return async (body: JoinBody, { caller }: GatewayContext): Promise<Result<Joined>> => {
		const { code, runner, device } = body;
		if (!isProven(body)) return err(refusal(deps, caller.address, 'The keys of this request are not signed with this code.'));
		const known = await store.runners.find(runner.id);
		if (!known.ok) return known;
		const pairing = await codes.redeem(code);
		if (!pairing.ok) return pairing;
		if (!pairing.value) return err(refusal(deps, caller.address, USED));
		const { user } = pairing.value;
		const fault = findConflict(known.value, body, user);
		if (fault) return err(fault);
		const id = toDeviceId(device.publicKey);
		const what = `paired the runner "${runner.name}" (${runner.id}) and the device "${device.name}" (${id})`;
		const noted = await store.audit.append({ at: now(), who: `${user}@${caller.address}`, what });
		if (!noted.ok) return noted;
		const paired = await store.runners.pair({ ...runner, owner: user, pairedAt: now() });
		if (!paired.ok) return paired;
		const added = await store.people.addDevice({
			id,
			name: device.name,
			origin: programOrigin(hub.id),
			publicKey: device.publicKey,
			createdAt: now(),
			lastSeenAt: now(),
			user,
			kind: 'program',
		});
		if (!added.ok) return added;
		if (added.value.user !== user || added.value.kind !== 'program') return err(otherDevice());
		for (const refreshed of [await people.refresh(), await deps.onRunnerChanged(runner.id)]) if (!refreshed.ok) return refreshed;
		const { name, origin, publicKey, createdAt, lastSeenAt } = added.value;
		const signed = toLinkText({
			purpose: 'joined',
			code,
			runnerKey: runner.publicKey,
			deviceKey: device.publicKey,
			hubKey: hub.identity.publicKey,
		});
		return ok({
			hub: hub.identity,
			signature: hub.sign(signed),
			user,
			device: { id, name, origin, publicKey, createdAt, lastSeenAt },
			login: logins.issue(id),
		});
	};
}

function isProven({ code, runner, device }: JoinBody): boolean {
	const text = toLinkText({ purpose: 'join', code, runnerKey: runner.publicKey, deviceKey: device.publicKey });
	return [runner, device].every(({ publicKey, signature }) => verifyText(publicKey, text, signature));
}

function refusal({ attempts }: JoinDeps, address: string, message: string): AppError {
	if (attempts.wrong(address)) return new AppError('unauthorized', message);
	return new AppError('rate_limited', 'Too many wrong codes. Retry in a minute.');
}

const USED = 'This link was already used or has expired. Run "roost hub invite" on the hub for a new one.';

/** Before the audit log says that it was paired. */
function findConflict(known: HubRunner | undefined, { runner }: JoinBody, user: string): AppError | undefined {
	// Also of a revoked runner: its record belongs to its owner.
	if (known && known.owner !== user) {
		const next = 'Ask them for a link, or use another ROOST_HOME.';
		return new AppError('conflict', `This runner is paired with this hub by another person. ${next}`);
	}
	if (!known || known.revokedAt !== null || known.publicKey === runner.publicKey) return undefined;
	const next = `Run "roost hub revoke ${known.name}" on the hub, then "roost join" with a new link.`;
	return new AppError('conflict', `This runner is paired already, with another key. ${next}`);
}

function otherDevice(): AppError {
	return new AppError('conflict', 'The key of this device is registered for something else. Run "roost join" again.');
}
