// People and their devices in memory, as the database has them; read again at each change, and regularly for those of other nodes.
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import type { DeviceId, RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Grant, HubDevice, HubPeople, PersonRole } from '../store/hub-store.ts';

export type People = Disposable & {
	/** Oldest first. */
	devices(): readonly HubDevice[];
	device(id: DeviceId): HubDevice | undefined;
	grants(): readonly Grant[];
	/** `runner`: also what is granted on all runners. */
	rolesOf(user: string, runner?: RunnerId): ReadonlySet<PersonRole>;
	/** Reads them again. */
	refresh(): Promise<Result<void>>;
	/** Called for each device that is gone, or whose user has fewer roles: what it has open has to end. */
	onLess(handler: (id: DeviceId) => void): () => void;
};

export type PeopleDeps = {
	store: Pick<HubPeople, 'devices' | 'grants'>;
	sweepMs: number;
	warn: (sentence: string) => void;
};

export async function loadPeople({ store, sweepMs, warn }: PeopleDeps): Promise<Result<People>> {
	const less = createListeners<[DeviceId]>();
	let devices = new Map<DeviceId, HubDevice>();
	let grants: readonly Grant[] = [];
	let reading: Promise<Result<void>> | undefined;

	async function read(): Promise<Result<void>> {
		const [found, granted] = await Promise.all([store.devices(), store.grants()]);
		if (!found.ok) return found;
		if (!granted.ok) return granted;
		const before = { devices, lost: usersWithLess(grants, granted.value) };
		devices = new Map(found.value.map((device) => [device.id, device]));
		grants = granted.value;
		for (const { id, user } of before.devices.values()) {
			if (devices.has(id) && !before.lost.has(user)) continue;
			for (const error of less.emit(id)) warnOfFailure('A listener of devices', error);
		}
		return ok(undefined);
	}

	/** After a read that is under way, which may have begun before the change. */
	async function refresh(): Promise<Result<void>> {
		const before = reading;
		const next = (async () => {
			await before;
			return await read();
		})();
		reading = next;
		return await next;
	}

	const first = await refresh();
	if (!first.ok) return first;
	let isSweeping = false;
	const timer = setInterval(() => void sweep(), sweepMs).unref();

	async function sweep(): Promise<void> {
		if (isSweeping) return;
		isSweeping = true;
		const swept = await refresh();
		isSweeping = false;
		if (!swept.ok) warn(swept.error.message);
	}

	return ok({
		devices: () => [...devices.values()],
		device: (id) => devices.get(id),
		grants: () => grants,
		rolesOf(user, runner) {
			const held = grants.filter((one) => one.user === user && (one.runner === null || one.runner === runner));
			return new Set(held.map(({ role }) => role));
		},
		refresh,
		onLess: less.add,
		[Symbol.dispose]: () => clearInterval(timer),
	});
}

function usersWithLess(before: readonly Grant[], now: readonly Grant[]): ReadonlySet<string> {
	const left = new Set(now.map(toKey));
	return new Set(before.filter((grant) => !left.has(toKey(grant))).map(({ user }) => user));
}

function toKey({ user, runner, role }: Grant): string {
	return `${user} ${role} ${runner ?? ''}`;
}
