// roost devices: lists the devices that can act for this user, and revokes browsers.
import { age } from '@roost/core/display/age';
import type { Device } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';
import { ownKeyring, toTrustedLines } from './trusted-devices.ts';

export async function listDevices(options: { json?: boolean; trusted?: boolean }): Promise<void> {
	const trusted = unwrap(ownKeyring().list());
	if (options.trusted) return await print(options, trusted, toTrustedLines(trusted));
	const connected = unwrap(await connectOrStart());
	const devices = unwrap(await connected.api.devices.list());
	const none = `No devices. Log a browser in with "${calledAs()} status --link".`;
	await print(options, devices, [
		devices.length === 0 ? none : toDeviceTable(devices, Date.now()),
		...(trusted.length === 0 ? [] : ['', ...toTrustedLines(trusted)]),
	]);
}

export async function revokeDevice(id: string | undefined, options: { all?: boolean; json?: boolean }): Promise<void> {
	if ((id === undefined) === !options.all) {
		throw new AppError('usage', `Name one device, or use --all. Run "${calledAs()} devices" to list devices.`);
	}
	const connected = unwrap(await connectOrStartToDecide('devices revoke'));
	const { devices } = connected.api;
	if (id === undefined) {
		const all = unwrap(await devices.revokeAll());
		return await print(options, all, [`Revoked ${all.revoked} device(s).`]);
	}
	const known = unwrap(await devices.list());
	const picked = unwrap(pickOne(known, id, (device) => [device.id], 'device'));
	unwrap(await devices.revoke({ id: picked.id }));
	await print(options, { revoked: 1, id: picked.id }, [`Revoked ${picked.id}. Its browser is logged out.`]);
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
