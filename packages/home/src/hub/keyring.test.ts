import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigningKey } from '@roost/machine/signing-key';
import { deviceId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openKeyring, type TrustedDevice } from './keyring.ts';

function sampleDevice(at: number): TrustedDevice {
	const id = deviceId.parse(String(at).padStart(16, '0'));
	const { publicKey } = createSigningKey();
	return {
		id,
		publicKey,
		name: `device ${at}`,
		user: 'lea',
		kind: 'program',
		classes: ['approve'],
		addedAt: at,
		addedBy: 'lea@cli',
	};
}

describe('keyring', () => {
	it('finds the devices that were added, also those that another process added', async () => {
		await using temp = await createTempDir();
		const keyring = openKeyring({ data: temp.path });
		const [first, second] = [sampleDevice(1), sampleDevice(2)];
		expect(unwrap(keyring.find(first.id))).toBeUndefined();
		unwrap(keyring.add(first));
		unwrap(openKeyring({ data: temp.path }).add(second));
		expect(unwrap(keyring.list())).toEqual([first, second]);
		expect(unwrap(keyring.find(second.id))).toEqual(second);
		expect(statSync(join(temp.path, 'keyring.json')).mode & 0o777).toBe(0o600);
	});

	it('replaces the entry of a device, and removes it', async () => {
		await using temp = await createTempDir();
		const keyring = openKeyring({ data: temp.path });
		const device = sampleDevice(1);
		unwrap(keyring.add(device));
		unwrap(keyring.add({ ...device, classes: [] }));
		expect(unwrap(keyring.list())).toEqual([{ ...device, classes: [] }]);
		expect([unwrap(keyring.remove(device.id)), unwrap(keyring.remove(device.id))]).toEqual([true, false]);
		expect(unwrap(keyring.list())).toEqual([]);
	});

	it('has at most a hundred devices', async () => {
		await using temp = await createTempDir();
		const devices = Array.from({ length: 100 }, (_, at) => sampleDevice(at));
		writeFileSync(join(temp.path, 'keyring.json'), JSON.stringify({ devices }), { mode: 0o600 });
		const keyring = openKeyring({ data: temp.path });
		expect(unwrapError(keyring.add(sampleDevice(100))).message).toContain('"roost devices untrust <id>"');
		unwrap(keyring.add(sampleDevice(99)));
	});

	it('trusts nobody when it is damaged, and says what to do', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'keyring.json');
		writeFileSync(path, '{"devices":[{}]}', { mode: 0o600 });
		const keyring = openKeyring({ data: temp.path });
		expect(unwrapError(keyring.find(sampleDevice(1).id)).message).toBe(
			`${path} cannot be read, so no signed command is accepted. Remove it and trust your devices again with "roost devices trust".`,
		);
		expect(unwrapError(keyring.add(sampleDevice(1))).code).toBe('corrupt');
	});
});
