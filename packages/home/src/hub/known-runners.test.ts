// The keys of runners behind hubs, as a user meets them.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hubId } from '@roost/protocol/hub/pairing';
import { runnerId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { openPinnedRunners } from './known-runners.ts';

const [ONE, OTHER] = ['A'.repeat(43), 'B'.repeat(43)];
const runner = {
	hub: hubId.parse('testhub0testhub0'),
	id: runnerId.parse('r1'),
	name: 'laptop',
	publicKey: ONE,
	pinnedAt: 1,
};

it('believes the first key of a runner, and refuses another one until it is pinned again', async () => {
	await using home = await createTempDir();
	const known = openPinnedRunners({ data: home.path });
	const check = (publicKey: string, over: object = {}) => known.check({ ...runner, ...over, publicKey });
	expect(unwrap(check(ONE))).toBe(ONE);
	expect(statSync(join(home.path, 'known-runners.json')).mode & 0o777).toBe(0o600);
	expect(unwrap(check(ONE))).toBe(ONE);
	const refused = unwrapError(check(OTHER));
	expect([refused.code, refused.message]).toEqual([
		'denied',
		expect.stringMatching(/The key of the runner "laptop" has changed\. .*roost runners --keys/),
	]);
	// The same runner at another hub is another pairing.
	expect(unwrap(check(OTHER, { hub: 'otherhub0otherhu' }))).toBe(OTHER);
	unwrap(known.pin({ ...runner, publicKey: OTHER }));
	expect(unwrap(check(OTHER))).toBe(OTHER);
	expect(unwrap(known.list())).toHaveLength(2);
});

it('believes nothing where the file is damaged', async () => {
	await using home = await createTempDir();
	writeFileSync(join(home.path, 'known-runners.json'), '{"runners":[{}]}', { mode: 0o600 });
	const known = openPinnedRunners({ data: home.path });
	expect(unwrapError(known.check(runner)).code).toBe('corrupt');
	expect(unwrapError(known.pin(runner)).code).toBe('corrupt');
});
