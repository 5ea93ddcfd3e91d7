// roost devices trust, untrust: the keys whose signed commands this machine accepts. A file of this machine; no network can change it.
import { userInfo } from 'node:os';
import { toDeviceId } from '@roost/core/hub/device-id';
import { ensureHome, resolveHome } from '@roost/home/home';
import { type Keyring, openKeyring, type TrustedDevice, trustedDevice } from '@roost/home/hub/keyring';
import { sha256 } from '@roost/machine/sha256';
import { devicePublicKey } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connectToDecide } from '../runner/connect.ts';

type TrustOptions = { key?: string; name?: string; user?: string; page?: boolean; json?: boolean };

const CLASSES: Readonly<Record<TrustedDevice['kind'], CommandClass[]>> = {
	program: ['stop', 'operate', 'approve', 'own'],
	page: ['stop', 'operate', 'approve'],
};

const INCOMPLETE = 'A device needs --key, --name and --user. The page "Devices" of the hub shows the whole command.';

export async function trustDevice(id: string, { key, name, user, page = false, json }: TrustOptions): Promise<void> {
	if (key === undefined || name === undefined || user === undefined) throw new AppError('usage', INCOMPLETE);
	unwrap(await connectToDecide('devices trust', { start: false }));
	if (!devicePublicKey.safeParse(key).success || toDeviceId(key, sha256) !== id)
		throw new AppError('usage', `The key is not that of device "${id}". Copy the ID and the key from the same device.`);
	const kind = page ? 'page' : 'program';
	const addedBy = `${userInfo().username}@cli`;
	const entry = { id, publicKey: key, name, user, kind, classes: CLASSES[kind], addedAt: Date.now(), addedBy };
	const device = trustedDevice.safeParse(entry);
	if (!device.success) throw new AppError('usage', 'A name and a user have 1 to 64 characters.');
	unwrap(ensureHome(unwrap(resolveHome(process.env))));
	unwrap(ownKeyring().add(device.data));
	await print({ json }, device.data, [
		`Trusted: commands of user "${user}" that ${id} signs are accepted through a hub, from now on.`,
		`Remove the trust with "${calledAs()} devices untrust ${id}".`,
	]);
}

export async function untrustDevice(id: string, options: { json?: boolean }): Promise<void> {
	unwrap(await connectToDecide('devices untrust', { start: false }));
	const keyring = ownKeyring();
	const picked = unwrap(pickOne(unwrap(keyring.list()), id, (device) => [device.id], 'trusted device'));
	unwrap(keyring.remove(picked.id));
	await print(options, { removed: picked.id }, [`Removed the trust in ${picked.id}. The next command that it signs is refused.`]);
}

export function ownKeyring(): Keyring {
	return openKeyring(unwrap(resolveHome(process.env)));
}

export function toTrustedLines(devices: readonly TrustedDevice[]): string[] {
	if (devices.length === 0) return [`No trusted devices. Trust one with "${calledAs()} devices trust".`];
	const rows = devices.map(({ id, name, user, kind, classes }) => [id, name, user, kind, classes.join(', ')]);
	return [toTable(['TRUSTED', 'NAME', 'USER', 'KIND', 'MAY SIGN'], rows)];
}
