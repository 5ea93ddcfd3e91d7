// roost devices trust, untrust, as a user runs them, without a runner.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toDeviceId } from '@roost/core/hub/device-id';
import { openKeyring } from '@roost/home/hub/keyring';
import { sha256 } from '@roost/machine/sha256';
import { createSigningKey } from '@roost/machine/signing-key';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('roost devices trust', () => {
	it('adds, lists and removes a device in the keyring of this machine', async () => {
		await using world = await openWorld();
		const { id, key, trust } = world;
		const [trusted, listed, asJson] = await world.drive([trust(), ['devices', '--trusted'], ['devices', '--trusted', '--json']]);
		expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining(`devices untrust ${id}`) });
		expect(listed?.stdout).toMatch(new RegExp(`^TRUSTED .*\\n${id}  my phone  lea   program  stop, operate, approve, own`));
		expect(JSON.parse(asJson?.stdout ?? '')).toMatchObject([{ id, publicKey: key, user: 'lea', kind: 'program' }]);
		expect(statSync(join(world.home, 'keyring.json')).mode & 0o777).toBe(0o600);
		const [page] = await world.drive([trust('--page')]);
		expect(page).toMatchObject({ code: 0 });
		expect(unwrap(world.keyring.list())).toMatchObject([{ id, kind: 'page', classes: ['stop', 'operate', 'approve'] }]);
		const [unknown, removed, left] = await world.drive([
			['devices', 'untrust', 'nobody'],
			['devices', 'untrust', id.slice(0, 6)],
			['devices', '--trusted'],
		]);
		expect(unknown).toMatchObject({ code: 1, stderr: 'roost: No trusted device "nobody" found.\n' });
		expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(`Removed the trust in ${id}.`) });
		expect(left?.stdout).toBe('No trusted devices. Trust one with "roost devices trust".\n');
	});

	it('refuses a key of another device, and a missing key', async () => {
		await using world = await openWorld();
		const other = createSigningKey().publicKey;
		const [wrong, short, missing] = await world.drive([
			world.trust('--key', other),
			world.trust('--key', 'abc'),
			['devices', 'trust', world.id, '--name', 'x', '--user', 'lea'],
		]);
		for (const run of [wrong, short]) {
			expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(`The key is not that of device "${world.id}".`) });
		}
		expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--key') });
		expect(unwrap(world.keyring.list())).toEqual([]);
	});

	it('refuses agents', async () => {
		await using world = await openWorld();
		const runs = [world.trust(), ['devices', 'untrust', world.id]];
		for (const run of await world.drive(runs, { ROOST_SESSION: 'driven' })) {
			expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Agents cannot do this') });
		}
		expect(unwrap(world.keyring.list())).toEqual([]);
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const home = join(temp.path, 'roost');
	const key = createSigningKey().publicKey;
	const id = toDeviceId(key, sha256);
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: home };
	return {
		home,
		id,
		key,
		keyring: openKeyring({ data: home }),
		trust: (...more: string[]) => ['devices', 'trust', id, '--key', key, '--name', 'my phone', '--user', 'lea', ...more],
		drive: (runs: string[][], over = {}) => driveCli(runs, { cwd: temp.path, env: { ...env, ...over } }),
		[Symbol.asyncDispose]: temp[Symbol.asyncDispose],
	};
}
