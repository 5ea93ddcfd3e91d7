// What people do with a hub itself: invite, grant and revoke. Each change is in the audit log before it takes effect.
import type { Caller } from '@roost/gateway/access/caller';
import type { GatewayContext } from '@roost/gateway/operations/api';
import { createInTurn } from '@roost/machine/in-turn';
import { AppError } from '@roost/protocol/app-error';
import type { hub } from '@roost/protocol/contract/hub';
import type { Handlers } from '@roost/protocol/contract/operation';
import type { Grant } from '@roost/protocol/hub/people';
import type { DeviceId, RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { HubDevice, HubRunner, HubStore } from '../store/hub-store.ts';
import type { PairingCodes } from './pairing-codes.ts';
import type { People } from './people.ts';

export type AdministerDeps = {
	store: Pick<HubStore, 'runners' | 'people' | 'audit'>;
	people: People;
	codes: PairingCodes;
	/** Of callers with the token, which are no person. */
	firstUser: string;
	findRunner(id: RunnerId): HubRunner | undefined;
	/** The caller with the roles that it has for this runner. */
	callerFor(caller: Caller, runner: RunnerId): Caller;
	/** Its connection ends at once. */
	onRunnerChanged(id: RunnerId): Promise<Result<unknown>>;
	now: () => number;
};

type Administers = Pick<Handlers<typeof hub, GatewayContext>, 'invite' | 'revokeRunner' | 'people' | 'grant' | 'audit'>;

export function administerHandlers(deps: AdministerDeps): Administers {
	const { store, people, codes, firstUser, now } = deps;
	const inTurn = createInTurn<'grants'>();

	async function note({ principal: { name, face } }: Caller, what: string): Promise<Result<unknown>> {
		return await store.audit.append({ at: now(), who: `${name}@${face}`, what });
	}

	return {
		async invite({ user, grants = [] }, { caller }) {
			const self = caller.via === 'device' ? caller.principal.name : firstUser;
			const invited = user ?? self;
			const isOwnDevice = invited === self && grants.length === 0;
			if (!isOwnDevice && !isAdmin(caller)) return err(adminOnly());
			const noted = await note(caller, `invited ${invited}${toWords(grants)}`);
			if (!noted.ok) return noted;
			return await codes.issue({ user: invited, grants, by: caller.principal });
		},
		async revokeRunner({ runner: id }, { caller }) {
			const runner = deps.findRunner(id);
			const isSeen = isAdmin(caller) || deps.callerFor(caller, id).roles.includes('view');
			if (!runner || !isSeen)
				return err(new AppError('not_found', `Runner "${id}" not found. Run "roost runners" to list runners.`));
			if (!isAdmin(caller) && runner.owner !== caller.principal.name) return err(adminOnly());
			const noted = await note(caller, `revoked the runner "${runner.name}" (${id})`);
			if (!noted.ok) return noted;
			const revoked = await store.runners.revoke(id, now());
			if (!revoked.ok) return revoked;
			const closed = await deps.onRunnerChanged(id);
			return closed.ok ? ok(undefined) : closed;
		},
		people() {
			const devices = people.devices();
			const names = new Set([...people.grants().map(({ user }) => user), ...devices.map(({ user }) => user)]);
			return ok(
				[...names].toSorted().map((name) => ({
					name,
					grants: people
						.grants()
						.filter(({ user }) => user === name)
						.map(({ runner, role }) => ({ runner, role })),
					devices: devices.filter(({ user }) => user === name),
				})),
			);
		},
		// One after the other, so that two admins cannot remove each other at once.
		grant: ({ user, grants }, { caller }) => inTurn('grants', () => grant(caller, user, grants)),
		audit: async (query) => await store.audit.list(query),
	};

	async function grant(caller: Caller, user: string, grants: readonly Grant[]): Promise<Result<void>> {
		const isLast = isAdminOnAll(people.rolesOf(user)) && !grants.some(isAdminGrant) && countAdmins(people) === 1;
		if (isLast) return err(new AppError('conflict', `"${user}" is the only admin of this hub. Make another person admin first.`));
		const noted = await note(caller, `set the roles of ${user}${toWords(grants) || ' to none'}`);
		if (!noted.ok) return noted;
		const set = await store.people.setGrants(user, grants);
		return set.ok ? await people.refresh() : set;
	}
}

/** Of the hub itself; a hub's own people see their own devices, admins all of them. */
export function hubDeviceHandlers(deps: Pick<AdministerDeps, 'store' | 'people' | 'now'>) {
	const { store, people, now } = deps;
	const visible = (caller: Caller): HubDevice[] =>
		people.devices().filter(({ user }) => isAdmin(caller) || user === caller.principal.name);

	async function revoke(devices: readonly HubDevice[], { principal: { name, face } }: Caller): Promise<Result<void>> {
		for (const { id, name: title, user } of devices) {
			const what = `revoked the device "${title}" of ${user} (${id})`;
			const noted = await store.audit.append({ at: now(), who: `${name}@${face}`, what });
			if (!noted.ok) return noted;
			const revoked = await store.people.revokeDevice(id, now());
			if (!revoked.ok) return revoked;
		}
		return await people.refresh();
	}

	return {
		list: (_: object, { caller }: GatewayContext) => ok(visible(caller)),
		async revoke({ id }: { id: DeviceId }, { caller }: GatewayContext) {
			const found = visible(caller).filter((one) => one.id === id);
			if (found.length > 0) return await revoke(found, caller);
			return err(new AppError('not_found', `Device "${id}" not found. Run "roost devices" to list devices.`));
		},
		async revokeAll(_: object, { caller }: GatewayContext) {
			const voided = await store.people.voidPairings(now());
			if (!voided.ok) return voided;
			const all = visible(caller);
			const revoked = await revoke(all, caller);
			return revoked.ok ? ok({ revoked: all.length }) : revoked;
		},
	};
}

function isAdmin({ roles }: Caller): boolean {
	return roles.includes('admin');
}

function isAdminOnAll(roles: ReadonlySet<string>): boolean {
	return roles.has('admin');
}

function isAdminGrant({ runner, role }: Grant): boolean {
	return role === 'admin' && runner === null;
}

function countAdmins(people: People): number {
	return new Set(
		people
			.grants()
			.filter(isAdminGrant)
			.map(({ user }) => user),
	).size;
}

function toWords(grants: readonly Grant[]): string {
	const words = grants.map(({ runner, role }) => `${role} on ${runner ?? 'all runners'}`);
	return words.length === 0 ? '' : ` as ${words.join(', ')}`;
}

function adminOnly(): AppError {
	return new AppError('denied', 'Only an admin of the hub can do this.');
}
