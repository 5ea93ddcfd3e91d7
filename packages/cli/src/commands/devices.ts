// roost devices: the browsers that can act for this user, and the end of one.

import { age } from '@roost/core/display/age';
import type { Device } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { fail } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { say } from '../output/say.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

export async function listDevices(options: { json?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const devices = await connected.value.api.devices.list();
	if (!devices.ok) return fail(devices.error, options);
	const none = `No devices. Log a browser in with "${calledAs()} status --link".`;
	say(options, devices.value, [devices.value.length === 0 ? none : toDeviceTable(devices.value, Date.now())]);
}

export async function revokeDevice(id: string | undefined, options: { all?: boolean; json?: boolean }): Promise<void> {
	if ((id === undefined) === !options.all) {
		return fail(new AppError('usage', `Name one device, or use --all. Run "${calledAs()} devices" to list devices.`), options);
	}
	const connected = await connectOrStartToDecide('devices revoke');
	if (!connected.ok) return fail(connected.error, options);
	const { devices } = connected.value.api;
	if (id === undefined) {
		const all = await devices.revokeAll();
		return all.ok ? say(options, all.value, [`Revoked ${all.value.revoked} device(s).`]) : fail(all.error, options);
	}
	const known = await devices.list();
	if (!known.ok) return fail(known.error, options);
	const picked = pickOne(known.value, id, (device) => [device.id], 'device');
	if (!picked.ok) return fail(picked.error, options);
	const revoked = await devices.revoke({ id: picked.value.id });
	if (!revoked.ok) return fail(revoked.error, options);
	say(options, { revoked: 1, id: picked.value.id }, [`Revoked ${picked.value.id}. Its browser is logged out.`]);
}

function toDeviceTable(devices: readonly Device[], now: number): string {
	const rows = devices.map(({ id, name, origin, createdAt, lastSeenAt }) => [
		id,
		name,
		origin,
		`${age(createdAt, now)} ago`,
		`${age(lastSeenAt, now)} ago`,
	]);
	return toTable(['DEVICE', 'NAME', 'ORIGIN', 'REGISTERED', 'LAST LOGIN'], rows);
}
