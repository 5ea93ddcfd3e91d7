import { readFileSync } from 'node:fs';
import { startTestHub } from '@roost/testkit/rigs/hub/test-hub';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createPairingCodes } from './pairing-codes.ts';

const BY = { name: 'ada', face: 'cli' };
const MINUTES = 60_000;

describe('pairing codes', () => {
	it('work once, within ten minutes, and add the roles they were made with', async () => {
		await using rig = await startTestHub();
		const codes = createPairingCodes({ store: rig.store.people, hubKey: 'key', now: () => Date.now() + rig.clock.aheadMs });
		const issue = async () => unwrap(await codes.issue({ user: 'lea', grants: [{ runner: null, role: 'viewer' }], by: BY }));
		const [first, second, third] = [await issue(), await issue(), await issue()];
		expect(first.path).toBe(`/join#code=${first.code}&key=key`);
		expect(unwrap(await rig.store.people.grants())).toEqual([]);
		const [one, other] = await Promise.all([codes.redeem(first.code), codes.redeem(first.code)]);
		expect([unwrap(one), unwrap(other)].filter((found) => found !== undefined)).toMatchObject([{ user: 'lea', by: BY }]);
		expect(unwrap(await rig.store.people.grants())).toEqual([{ user: 'lea', runner: null, role: 'viewer' }]);
		rig.clock.aheadMs = 9.9 * MINUTES;
		expect(unwrap(await codes.redeem(second.code))).toMatchObject({ user: 'lea' });
		rig.clock.aheadMs = 10.1 * MINUTES;
		expect(unwrap(await codes.redeem(third.code))).toBeUndefined();
		expect(unwrap(await codes.redeem('guessed'))).toBeUndefined();
	});

	it('have 128 bits, and only their hash is stored', async () => {
		await using rig = await startTestHub();
		const codes = await Promise.all([rig.invite(), rig.invite('lea')]);
		for (const code of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(16);
		const stored = ['', '-wal'].map((suffix) => readFileSync(rig.database + suffix, 'latin1')).join('');
		expect(stored).toContain('pairings');
		expect(codes.filter((code) => stored.includes(code))).toEqual([]);
	});
});
