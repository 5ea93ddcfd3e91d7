// `POST /join` over the real server and database.
import { createSigningKey, isSignedBy } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import { hubIdentity } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { err } from '@roost/protocol/result';
import { createTestKey, postJson } from '@roost/testkit/rigs/api/test-device';
import { type Joiner, newJoiner, startTestHub, type TestHub, toJoinBody } from '@roost/testkit/rigs/hub/test-hub';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('joining a hub', () => {
	it('pairs a runner and the command line of its machine, and the hub proves its key', async () => {
		await using rig = await startTestHub();
		const machine = await rig.pair();
		expect(machine.joined).toMatchObject({ user: 'ada', hub: { id: rig.hub.id, name: 'test hub' } });
		const listed = await rig.call({ path: '/api/v1/runners', headers: machine.headers });
		expect(JSON.parse(listed.body)).toMatchObject([{ id: 'runner-1', name: 'machine of runner-1', owner: 'ada', online: false }]);
		expect(unwrap(await rig.store.people.devices())).toMatchObject([
			{ user: 'ada', kind: 'program', origin: `hub:${rig.hub.id}`, publicKey: machine.device.publicKey },
		]);
		expect(unwrap(await rig.store.people.grants())).toEqual([{ user: 'ada', runner: null, role: 'admin' }]);
	});

	it('signs exactly the keys that it paired', async () => {
		await using rig = await startTestHub();
		const joiner = newJoiner('runner-1');
		const code = await rig.invite();
		const { body } = await send(rig, toJoinBody(code, joiner));
		const { hub, signature } = JSON.parse(body);
		const hubKey = hubIdentity.parse(hub).publicKey;
		const [runnerKey, deviceKey] = [joiner.runner.publicKey, joiner.device.publicKey];
		const text = toLinkText({ purpose: 'joined', code, runnerKey, deviceKey, hubKey });
		expect(isSignedBy(hubKey, text, signature)).toBe(true);
	});

	it('refuses a key that is not proven or was exchanged, and the code stays valid', async () => {
		await using rig = await startTestHub();
		const code = await rig.invite();
		const joiner = newJoiner('runner-1');
		const own = toJoinBody(code, joiner);
		const stranger = createSigningKey();
		const foreign = toJoinBody(code, { ...joiner, runner: stranger });
		for (const body of [
			{ ...own, runner: { ...own.runner, publicKey: stranger.publicKey } },
			{ ...own, device: { ...own.device, publicKey: stranger.publicKey } },
			{ ...own, runner: foreign.runner },
			{ ...own, code: 'another-code-of-somebody' },
		]) {
			expect(await send(rig, body)).toMatchObject({ status: 401 });
		}
		expect(unwrap(await rig.store.runners.list())).toEqual([]);
		expect((await send(rig, own)).status).toBe(201);
	});

	it('refuses a code twice, after its time, and of another hub, and adds nothing', async () => {
		await using rig = await startTestHub();
		await using other = await startTestHub();
		const used = await rig.invite();
		expect((await send(rig, toJoinBody(used, newJoiner('runner-1')))).status).toBe(201);
		const late = await rig.invite();
		rig.clock.aheadMs = 11 * 60_000;
		for (const code of [used, late, await other.invite(), 'guessed-guessed']) {
			const reply = await send(rig, toJoinBody(code, newJoiner('runner-2')));
			expect([reply.status, reply.body]).toEqual([401, expect.stringContaining('already used or has expired')]);
		}
		expect(unwrap(await rig.store.runners.list())).toHaveLength(1);
	});

	it('limits wrong codes to five in a minute, and still accepts a right one', async () => {
		await using rig = await startTestHub();
		const right = await rig.invite();
		const guess = () => send(rig, toJoinBody('guessed-guessed', newJoiner('runner-1')));
		const statuses = [];
		for (let at = 0; at < 6; at += 1) statuses.push((await guess()).status);
		expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
		expect((await send(rig, toJoinBody(right, newJoiner('runner-1')))).status).toBe(201);
		rig.clock.aheadMs = 61_000;
		expect((await guess()).status).toBe(401);
	});

	it('pairs the same runner again with the same key, and refuses another key until it is revoked', async () => {
		await using rig = await startTestHub();
		const first = await rig.pair();
		const again = await send(rig, toJoinBody(await rig.invite(), { ...newJoiner('runner-1'), runner: first.runner }));
		expect(again.status).toBe(201);
		const swapped = newJoiner('runner-1');
		const refused = await send(rig, toJoinBody(await rig.invite(), swapped));
		expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('hub revoke')]);
		expect(unwrap(await rig.store.runners.find(first.id))?.publicKey).toBe(first.runner.publicKey);
		expect((await rig.call({ method: 'DELETE', path: '/api/v1/runners/runner-1' })).status).toBe(200);
		expect((await send(rig, toJoinBody(await rig.invite(), swapped))).status).toBe(201);
		expect(unwrap(await rig.store.runners.find(first.id))?.publicKey).toBe(swapped.runner.publicKey);
	});

	it('never takes the runner of another person, not even a revoked one, and does not say whose it is', async () => {
		await using rig = await startTestHub();
		await rig.pair();
		const take = async () => await send(rig, toJoinBody(await rig.invite('lea'), newJoiner('runner-1')));
		const refused = await take();
		expect([refused.status, refused.body]).toEqual([409, expect.not.stringContaining('ada')]);
		await rig.call({ method: 'DELETE', path: '/api/v1/runners/runner-1' });
		expect((await take()).status).toBe(409);
		expect(unwrap(await rig.store.people.devices()).map(({ user }) => user)).toEqual(['ada']);
	});

	it('gives no login for the device of another person', async () => {
		await using rig = await startTestHub();
		const { device } = await rig.pair();
		const reply = await send(rig, toJoinBody(await rig.invite('lea'), { ...newJoiner('runner-2'), device }));
		expect([reply.status, reply.body]).toEqual([409, expect.not.stringContaining('bearer')]);
	});

	it('refuses ids of runners that do not fit a path or a signed text', async () => {
		await using rig = await startTestHub();
		for (const id of ['a\nb', '../x', 'a/b', 'x'.repeat(65), 'a b']) {
			expect((await send(rig, toJoinBody(await rig.invite(), { ...newJoiner('x'), id: id as Joiner['id'] }))).status).toBe(400);
		}
	});

	it('registers the browser of a code like that of a login link, as a device of its user', async () => {
		await using rig = await startTestHub();
		const code = await rig.invite('lea');
		const key = createTestKey(rig.url);
		const body = { ticket: code, name: 'phone', publicKey: key.publicKey, signature: key.sign('register', key.publicKey, code) };
		const page = { origin: rig.url };
		expect((await postJson(rig.port, '/api/v1/devices', body, page)).status).toBe(201);
		expect((await postJson(rig.port, '/api/v1/devices', body, page)).status).toBe(401);
		expect(unwrap(await rig.store.people.devices())).toMatchObject([{ user: 'lea', kind: 'page', origin: rig.url }]);
	});

	it('is in the audit log before it takes effect, without the code', async () => {
		await using rig = await startTestHub();
		await rig.pair();
		const entries = unwrap(await rig.store.audit.list({ after: 0, limit: 10 }));
		expect(entries.map(({ what }) => what)).toEqual([
			expect.stringMatching(/^paired the runner "machine of runner-1" \(runner-1\) and the device "cli" \([a-z0-9]{16}\)$/),
		]);
		const append = async () => err(new AppError('store_unavailable', 'The disk is full.'));
		await using broken = await startTestHub({}, (store) => ({ ...store, audit: { ...store.audit, append } }));
		expect((await send(broken, toJoinBody(await broken.invite(), newJoiner('runner-9')))).status).toBe(503);
		expect(unwrap(await broken.store.runners.list())).toEqual([]);
	});
});

function send({ port }: TestHub, body: unknown) {
	return postJson(port, '/api/v1/join', body, {});
}
