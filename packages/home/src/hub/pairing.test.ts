import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigningKey } from '@roost/machine/signing-key';
import { deviceId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type HubPairing, readCliDevice, readPairing, removePairing, writeCliDevice, writePairing } from './pairing.ts';

const PAIRING: HubPairing = {
	url: 'https://hub.example.com',
	hub: { id: 'abcdefgh12345678', name: 'home hub', publicKey: createSigningKey().publicKey },
	name: 'laptop',
	key: createSigningKey(),
	pairedAt: 1,
};
const DEVICE = {
	url: PAIRING.url,
	hub: PAIRING.hub.id,
	id: deviceId.parse('abcdefghjkmnpqrs'),
	name: 'laptop',
	user: 'lea',
	key: createSigningKey(),
};

describe('pairing', () => {
	it('is absent before it is written, and gone when it is removed', async () => {
		await using temp = await createTempDir();
		const home = { data: temp.path };
		expect(readBoth(home)).toEqual([null, null]);
		unwrap(writePairing(home, PAIRING));
		unwrap(writeCliDevice(home, DEVICE));
		expect(readBoth(home)).toEqual([PAIRING, DEVICE]);
		unwrap(removePairing(home));
		unwrap(removePairing(home));
		expect(readBoth(home)).toEqual([null, null]);
	});

	it('is in private files, each private key in its own', async () => {
		await using temp = await createTempDir();
		const home = { data: temp.path };
		unwrap(writePairing(home, PAIRING));
		unwrap(writeCliDevice(home, DEVICE));
		for (const name of ['hub.json', 'hub-device.json']) expect(statSync(join(temp.path, name)).mode & 0o777).toBe(0o600);
		expect(readFileSync(join(temp.path, 'hub.json'), 'utf8')).not.toContain(DEVICE.key.privateKey);
		expect(readFileSync(join(temp.path, 'hub-device.json'), 'utf8')).not.toContain(PAIRING.key.privateKey);
	});

	it.each([
		['no JSON', '{'],
		['a missing key', JSON.stringify({ ...PAIRING, key: undefined })],
		['an address of another kind', JSON.stringify({ ...PAIRING, url: 'file:///etc' })],
	])('that is damaged is named with the command that repairs it: %s', async (_, text) => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'hub.json');
		writeFileSync(path, text, { mode: 0o600 });
		const error = unwrapError(readPairing({ data: temp.path }));
		expect(error.message).toBe(`${path} cannot be read. Remove it and pair again with "roost join <link>".`);
	});
});

function readBoth(home: { data: string }): unknown[] {
	return [unwrap(readPairing(home)), unwrap(readCliDevice(home))];
}
