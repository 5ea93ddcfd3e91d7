import { AppError } from '@roost/protocol/app-error';
import { runnerId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import { changeDatabase, startTestHub } from '@roost/testkit/rigs/hub/test-hub';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { loadPeople } from './people.ts';

const NEVER = { sweepMs: 1_000_000, warn: () => {} };
const OFTEN = { sweepMs: 10, warn: () => {} };

describe('people in memory', () => {
	it('have the roles of all runners and of the one that is asked about', async () => {
		await using rig = await startTestHub();
		const [one, other] = [runnerId.parse('r1'), runnerId.parse('r2')];
		unwrap(
			await rig.store.people.setGrants('lea', [
				{ runner: null, role: 'viewer' },
				{ runner: one, role: 'operator' },
			]),
		);
		using people = unwrap(await loadPeople({ store: rig.store.people, ...NEVER }));
		expect([...people.rolesOf('lea', one)].toSorted()).toEqual(['operator', 'viewer']);
		expect([...people.rolesOf('lea', other)]).toEqual(['viewer']);
		expect([...people.rolesOf('lea')]).toEqual(['viewer']);
		expect([...people.rolesOf('nobody', one)]).toEqual([]);
	});

	it('forget a device that another process revoked, and report it', async () => {
		await using rig = await startTestHub();
		const { device } = (await rig.pair()).joined;
		using people = unwrap(await loadPeople({ store: rig.store.people, ...OFTEN }));
		const less: string[] = [];
		people.onLess((id) => void less.push(id));
		expect(people.device(device.id)).toMatchObject({ user: 'ada' });
		changeDatabase(rig.database, 'UPDATE devices SET revoked_at = 1 WHERE id = ?', device.id);
		await waitFor(() => (people.device(device.id) === undefined ? true : undefined), { what: 'the sweep' });
		expect(less).toEqual([device.id]);
	});

	it('report every device of a person who lost a role, and none of one who gained a role', async () => {
		await using rig = await startTestHub();
		const viewer = { runner: null, role: 'viewer' } as const;
		const { device } = (await rig.pair({ user: 'lea', grants: [viewer] })).joined;
		using people = unwrap(await loadPeople({ store: rig.store.people, ...NEVER }));
		const less: string[] = [];
		people.onLess((id) => void less.push(id));
		unwrap(await rig.store.people.setGrants('lea', [viewer, { runner: null, role: 'operator' }]));
		unwrap(await people.refresh());
		expect(less).toEqual([]);
		unwrap(await rig.store.people.setGrants('lea', [viewer]));
		unwrap(await people.refresh());
		expect(less).toEqual([device.id]);
	});

	it('stay as they were while the database does not answer, which is said', async () => {
		await using rig = await startTestHub();
		const { device } = (await rig.pair()).joined;
		let isDown = false;
		const lost = err(new AppError('store_unavailable', 'The database does not answer.'));
		const store = { ...rig.store.people, devices: async () => (isDown ? lost : await rig.store.people.devices()) };
		const warned: string[] = [];
		using people = unwrap(await loadPeople({ store, sweepMs: 10, warn: (line) => void warned.push(line) }));
		isDown = true;
		await waitFor(() => warned[0], { what: 'a warning' });
		expect(warned[0]).toBe('The database does not answer.');
		expect(unwrapError(await people.refresh()).code).toBe('store_unavailable');
		expect(people.device(device.id)).toBeDefined();
	});
});
