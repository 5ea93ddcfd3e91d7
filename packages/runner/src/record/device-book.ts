// The devices of this runner, kept in a private file. Only devices whose registration is on record are accepted.
import { join } from 'node:path';
import { toDeviceId } from '@roost/gateway/access/verify-signature';
import type { DeviceBook } from '@roost/gateway/operations/backend';
import type { Home } from '@roost/home/home';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { type Device, device } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { type DeviceId, type RunnerId, runnerStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { z } from 'zod';
import { readEvents } from './rebuild.ts';
import { type RunnerStream, toWho } from './runner-stream.ts';

const deviceFile = z.object({ devices: z.array(device) });

/** Keeps the file below the size limit of a private file. */
const MAX_DEVICES = 100;

export function openDeviceBook(deps: {
	home: Pick<Home, 'data'>;
	store: Pick<Store, 'read'>;
	runnerId: RunnerId;
	own: Pick<RunnerStream, 'record'>;
	now: () => number;
	warn: (sentence: string) => void;
}): Result<DeviceBook> {
	const { own, now, warn } = deps;
	const path = join(deps.home.data, 'devices.json');
	const registered = readRegistered(deps.store, deps.runnerId);
	if (!registered.ok) return registered;
	const devices = new Map<DeviceId, Device>();
	for (const each of readDevices(path, warn)) {
		if (registered.value.has(each.id) && toDeviceId(each.publicKey) === each.id) devices.set(each.id, each);
		else
			warn(`Device ${each.id} in ${path} is not on record and is ignored. Its browser needs a new link: "roost status --link".`);
	}

	function write(): Result<void> {
		return replacePrivateFile(path, `${JSON.stringify({ devices: [...devices.values()] })}\n`);
	}

	function recordRevoked({ id, name }: Device, who: string, reason?: string): Promise<Result<void>> {
		return own.record({ kind: 'device.revoked', data: { device_id: id, name, revoked_by: who, reason } });
	}

	return ok({
		list: () => [...devices.values()],
		find: (id) => devices.get(id),
		async register({ name, origin, publicKey }, by) {
			const id = toDeviceId(publicKey);
			const known = devices.get(id);
			if (known) return ok(known);
			if (devices.size >= MAX_DEVICES) {
				const problem = `${MAX_DEVICES} devices are registered. Revoke one with "roost devices revoke <id>".`;
				return err(new AppError('conflict', problem));
			}
			// Recorded first: no device may act for the user without a record.
			const data = { device_id: id, name, origin, registered_by: toWho(by) };
			const recorded = await own.record({ kind: 'device.registered', data });
			if (!recorded.ok) return recorded;
			const added = { id, name, origin, publicKey, createdAt: now(), lastSeenAt: now() };
			devices.set(id, added);
			const written = write();
			if (written.ok) return ok(added);
			devices.delete(id);
			await recordRevoked(added, 'system', written.error.message);
			return written;
		},
		noteSeen(id) {
			const seen = devices.get(id);
			if (!seen) return;
			devices.set(id, { ...seen, lastSeenAt: now() });
			const written = write();
			if (!written.ok) warn(written.error.message);
		},
		async revoke(id, by) {
			const revoked = devices.get(id);
			if (!revoked) return ok(undefined);
			devices.delete(id);
			const written = write();
			if (!written.ok) warn(written.error.message);
			return await recordRevoked(revoked, toWho(by));
		},
	});
}

/** Without a readable file no device is accepted: browsers log in again with a new link. */
function readDevices(path: string, warn: (sentence: string) => void): Device[] {
	const text = readPrivateFile(path);
	if (text.ok && text.value === null) return [];
	try {
		if (text.ok) return deviceFile.parse(JSON.parse(text.value ?? '')).devices;
	} catch {
		// Reported below, like a file that cannot be opened.
	}
	warn(`${path} cannot be read. Browsers have to log in again with "roost status --link".`);
	return [];
}

/** The devices that are registered and not revoked: a fold of the runner's own stream. */
export function readRegistered(store: Pick<Store, 'read'>, runnerId: RunnerId): Result<ReadonlySet<string>> {
	const registered = new Set<string>();
	const read = readEvents(store, runnerStream(runnerId), (event) => {
		if (event.kind === 'device.registered') registered.add(event.data.device_id);
		if (event.kind === 'device.revoked') registered.delete(event.data.device_id);
	});
	return read.ok ? ok(registered) : read;
}
