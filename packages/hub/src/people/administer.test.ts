// Administering a hub over its real server: who may, and what the audit log says.
import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import { postJson } from '@roost/testkit/rigs/api/test-device';
import { connectRaw } from '@roost/testkit/rigs/hub/raw-runner';
import { newJoiner, type PairedMachine, startTestHub, type TestHub, toJoinBody } from '@roost/testkit/rigs/hub/test-hub';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const VIEWER = { runner: null, role: 'viewer' } as const;
const ADMIN = { runner: null, role: 'admin' } as const;

describe('administering a hub', () => {
	it('is for admins: the token of its machine, and people with that role on all runners', async () => {
		await using rig = await startTestHub();
		const ada = await rig.pair();
		const lea = await rig.pair({ user: 'lea', id: 'runner-2' });
		const grants = { path: '/api/v1/people/bob/grants', body: { grants: [VIEWER] } };
		for (const [headers, status] of [
			[undefined, 200],
			[ada.headers, 200],
			[lea.headers, 403],
		] as const) {
			expect((await rig.post(grants.path, grants.body, headers)).status).toBe(status);
			for (const path of ['/api/v1/people', '/api/v1/audit']) {
				expect((await rig.call({ path, ...(headers ? { headers } : {}) })).status, path).toBe(status);
			}
		}
		unwrap(await rig.store.people.setGrants('eve', [{ runner: lea.id, role: 'admin' }]));
		const eve = await rig.pair({ user: 'eve', id: 'runner-3' });
		expect((await rig.call({ path: '/api/v1/people', headers: eve.headers })).status).toBe(403);
	});

	it('keeps the last admin', async () => {
		await using rig = await startTestHub();
		await rig.pair();
		const set = (user: string, grants: object[]) => rig.post(`/api/v1/people/${user}/grants`, { grants });
		const refused = await set('ada', [VIEWER]);
		expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('only admin')]);
		expect((await set('lea', [ADMIN])).status).toBe(200);
		const both = await Promise.all([set('ada', []), set('lea', [])]);
		expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
		expect(unwrap(await rig.store.people.grants()).filter(({ role }) => role === 'admin')).toHaveLength(1);
	});

	it('lets everyone invite another device of their own, and nobody else invite others or give roles', async () => {
		await using rig = await startTestHub();
		const { headers } = await rig.pair({ user: 'lea' });
		const invite = async (body: object) => (await rig.post('/api/v1/pairings', body, headers)).status;
		expect([await invite({}), await invite({ user: 'lea' })]).toEqual([201, 201]);
		for (const body of [{ user: 'bob' }, { user: 'ada' }, { grants: [VIEWER] }, { user: 'lea', grants: [ADMIN] }]) {
			expect(await invite(body), JSON.stringify(body)).toBe(403);
		}
	});

	it('lets the owner of a runner revoke it, and its connection ends for good', async () => {
		await using rig = await startTestHub();
		const lea = await rig.pair({ user: 'lea' });
		const bob = await rig.pair({ user: 'bob', grants: [VIEWER], id: 'runner-2' });
		await using runner = await connected(rig, lea);
		const revoke = async ({ headers }: PairedMachine) =>
			(await rig.call({ method: 'DELETE', path: '/api/v1/runners/runner-1', headers })).status;
		expect(await revoke(bob)).toBe(403);
		expect(runner.isOpen()).toBe(true);
		expect(await revoke(lea)).toBe(200);
		expect(await runner.closed()).toBe(4403);
		await using again = await connectRaw(rig, lea);
		await again.register();
		expect(await again.refusal()).toEqual({ message: expect.stringContaining('was revoked. Run "roost join"'), final: true });
		expect(await revoke(lea)).toBe(404);
	});

	it('tells nobody about a runner that they have no role on', async () => {
		await using rig = await startTestHub();
		await rig.pair();
		const { headers } = await rig.pair({ user: 'lea', id: 'runner-2' });
		const revoke = (id: string) => rig.call({ method: 'DELETE', path: `/api/v1/runners/${id}`, headers });
		const [known, unknown] = [await revoke('runner-1'), await revoke('runner-9')];
		expect(known.status).toBe(404);
		expect(known.body).toBe(unknown.body.replace('runner-9', 'runner-1'));
	});

	it('is in the audit log before it takes effect, with who did it', async () => {
		await using rig = await startTestHub();
		const ada = await rig.pair();
		const path = '/api/v1/people/lea/grants';
		await rig.post(path, { grants: [VIEWER] }, ada.headers);
		await rig.post('/api/v1/pairings', { user: 'lea', grants: [VIEWER] }, ada.headers);
		await rig.call({ method: 'DELETE', path: '/api/v1/runners/runner-1', headers: ada.headers });
		await rig.call({ method: 'DELETE', path: `/api/v1/devices/${ada.joined.device.id}` });
		const entries = unwrap(await rig.store.audit.list({ after: 1, limit: 10 }));
		expect(entries.map(({ who, what }) => `${who.split(':')[0]} ${what}`)).toEqual([
			'ada@cli set the roles of lea as viewer on all runners',
			'ada@cli invited lea as viewer on all runners',
			'ada@cli revoked the runner "machine of runner-1" (runner-1)',
			`ada@http revoked the device "cli" of ada (${ada.joined.device.id})`,
		]);
		expect(unwrap(await rig.store.audit.verify())).toEqual([]);
	});

	it('changes nothing that the audit log cannot keep', async () => {
		let isFull = false;
		const full = err(new AppError('store_unavailable', 'The disk is full.'));
		await using rig = await startTestHub({}, (store) => ({
			...store,
			audit: { ...store.audit, append: async (entry) => (isFull ? full : await store.audit.append(entry)) },
		}));
		const ada = await rig.pair();
		isFull = true;
		const before = [await rig.store.people.grants(), await rig.store.runners.list(), await rig.store.people.devices()];
		for (const reply of [
			await rig.post('/api/v1/people/lea/grants', { grants: [VIEWER] }),
			await rig.post('/api/v1/pairings', { user: 'lea' }),
			await rig.call({ method: 'DELETE', path: '/api/v1/runners/runner-1' }),
			await rig.call({ method: 'DELETE', path: `/api/v1/devices/${ada.joined.device.id}` }),
			await rig.call({ method: 'DELETE', path: '/api/v1/devices' }),
		]) {
			expect(reply).toMatchObject({ status: 503 });
		}
		expect([await rig.store.people.grants(), await rig.store.runners.list(), await rig.store.people.devices()]).toEqual(before);
	});

	it('shows and revokes only the own devices, and for admins all of them', async () => {
		await using rig = await startTestHub();
		const ada = await rig.pair();
		const lea = await rig.pair({ user: 'lea', id: 'runner-2' });
		const list = async ({ headers }: PairedMachine) => JSON.parse((await rig.call({ path: '/api/v1/devices', headers })).body);
		expect([(await list(ada)).length, (await list(lea)).length]).toEqual([2, 1]);
		const path = `/api/v1/devices/${ada.joined.device.id}`;
		expect((await rig.call({ method: 'DELETE', path, headers: lea.headers })).status).toBe(404);
		const unused = await rig.invite();
		const own = `/api/v1/devices/${lea.joined.device.id}`;
		expect((await rig.call({ method: 'DELETE', path: own, headers: lea.headers })).status).toBe(200);
		expect((await rig.call({ path: '/api/v1/runners', headers: lea.headers })).status).toBe(401);
		const all = { method: 'DELETE', path: '/api/v1/devices' };
		expect((await rig.call({ ...all, headers: ada.headers })).status).toBe(403);
		expect(await rig.call(all)).toMatchObject({ status: 200, body: '{"revoked":1}' });
		const late = await postJson(rig.port, '/api/v1/join', toJoinBody(unused, newJoiner('runner-5')), {});
		expect(late.status).toBe(401);
	});
});

async function connected(rig: TestHub, machine: PairedMachine) {
	const runner = await connectRaw(rig, machine);
	await runner.register();
	await runner.frame('runner.registered');
	return runner;
}
