// Access to a hub: every route of its router and every socket, with every credential and role, from every origin.
import { RUNNER_OPERATIONS } from '@roost/gateway/operations/served-runner';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import { toRunnerPath } from '@roost/protocol/contract/of-runner';
import { commandClass } from '@roost/protocol/hub/accepts';
import type { Grant } from '@roost/protocol/hub/people';
import { sendRaw } from '@roost/testkit/rigs/api/raw-http';
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { connectRaw } from '@roost/testkit/rigs/hub/raw-runner';
import { changeDatabase, newJoiner, OWN_TOKEN, startTestHub, type TestHub } from '@roost/testkit/rigs/hub/test-hub';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** Static files, and requests that prove themselves by their body. */
const OPEN = new Set([
	'GET /healthz',
	...['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/icon.svg'].map((path) => `GET ${path}`),
	...['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png', '/apple-touch-icon.png'].map((path) => `GET ${path}`),
	...['devices', 'challenges', 'bearers', 'join'].map((path) => `POST /api/v1/${path}`),
]);
const ADMIN_ONLY = new Set([
	'GET /metrics',
	'GET /api/v1/people',
	'POST /api/v1/people/:user/grants',
	'GET /api/v1/audit',
	'DELETE /api/v1/devices',
]);
/** It revokes everything, so it is in a test of its own. */
const LAST = 'DELETE /api/v1/devices';

const NO_CREDENTIAL = ['none', 'bad', 'expired', 'revoked device'] as const;
/** Of a person on runner-1; a stranger has a role on another runner only. */
const PEOPLE = ['viewer', 'operator', 'approver', 'admin', 'owner', 'stranger'] as const;
const CREDENTIALS = [...NO_CREDENTIAL, ...PEOPLE, 'hub token'] as const;
type Credential = (typeof CREDENTIALS)[number];

/** The table of roles: the classes of commands that each may call on runner-1. */
const MAY: Record<string, readonly string[]> = {
	viewer: ['read'],
	operator: ['read', 'stop', 'operate'],
	approver: ['read', 'stop', 'approve'],
	admin: ['read', 'stop'],
	'hub token': ['read', 'stop'],
	owner: ['read', 'stop', 'operate', 'approve', 'own'],
};

type World = { rig: TestHub; headers: Record<Credential, Record<string, string>> };

async function startWorld(rig: TestHub): Promise<World> {
	const onOne = (role: Grant['role']): Grant => ({ role, runner: newJoiner('runner-1').id });
	const owner = await rig.pair({ user: 'lea', id: 'runner-1' });
	const paired = async (user: string, grants: Grant[]) => (await rig.pair({ user, grants, id: `of-${user}` })).headers;
	const revoked = await rig.pair({ user: 'rob', grants: [onOne('owner')], id: 'of-rob' });
	await rig.call({ method: 'DELETE', path: `/api/v1/devices/${revoked.joined.device.id}` });
	rig.clock.aheadMs = -10 * 60_000;
	const expired = await rig.pair({ user: 'eve', grants: [onOne('owner')], id: 'of-eve' });
	rig.clock.aheadMs = 0;
	return {
		rig,
		headers: {
			none: {},
			bad: { authorization: `Bearer ${owner.headers.authorization.slice(7, -4)}AAAA` },
			expired: expired.headers,
			'revoked device': revoked.headers,
			viewer: await paired('vic', [onOne('viewer')]),
			operator: await paired('oli', [onOne('operator')]),
			approver: await paired('amy', [onOne('approver')]),
			admin: await paired('ada', [{ role: 'admin', runner: null }]),
			owner: owner.headers,
			stranger: await paired('sam', []),
			'hub token': OWN_TOKEN,
		},
	};
}

type Door = { name: string; method: string; path: string };

/** Names of people, devices and commands that do not exist: a call that is admitted changes nothing. */
function doorsOf({ hub }: TestHub): Door[] {
	return hub.routes().map(({ method, url }) => {
		const ofRunner = url.startsWith('/api/v1/runners/:runner/');
		const path = url.replace(':runner', ofRunner ? 'runner-1' : 'nowhere').replaceAll(/:\w+/g, 'x');
		return { name: `${method} ${url}`, method, path };
	});
}

const CLASSES = new Map(
	[...RUNNER_OPERATIONS].map(([name, operation]) => {
		const { method, path, needs, tokenOnly, deviceOnly, upgrade, media } = operation;
		// Lines are a file, and the record has them.
		const stays = tokenOnly || deviceOnly || upgrade || (media !== undefined && name !== 'feed.lines');
		return [`${method} ${toRunnerPath(path)}`, stays ? undefined : commandClass(name, needs, {})];
	}),
);
/** Answered by the hub itself, with its own reason why not. */
const ANSWERED = new Set(['GET /api/v1/runners/:runner/sessions/:id/export']);

/** Undefined: admitted. */
function expectedRefusal(name: string, credential: Credential): 401 | 403 | 404 | undefined {
	if (OPEN.has(name) || name.startsWith('GET /assets/')) return undefined;
	if (isIn(NO_CREDENTIAL, credential)) return 401;
	if (CLASSES.has(name)) {
		if (credential === 'stranger') return 404;
		if (ANSWERED.has(name)) return 403;
		const kind = CLASSES.get(name);
		return kind !== undefined && MAY[credential]?.includes(kind) ? undefined : 403;
	}
	if (name === LAST) return credential === 'hub token' ? undefined : 403;
	if (ADMIN_ONLY.has(name)) return credential === 'admin' || credential === 'hub token' ? undefined : 403;
	return undefined;
}

describe('access matrix of a hub', { timeout: 240_000 }, () => {
	const limits = { wrongPerMinute: 1_000_000, waitMs: 1 };

	it('admits each role to what the table of roles says, on every route', async () => {
		await using rig = await startTestHub({ limits });
		const { headers } = await startWorld(rig);
		const doors = doorsOf(rig).filter(({ name }) => name !== LAST);
		expect(doors.length).toBeGreaterThan(80);
		expect(CLASSES.size).toBeGreaterThan(60);
		for (const { name, method, path } of doors) {
			for (const credential of CREDENTIALS) {
				const { status, body } = await sendRaw({ port: rig.port, method, path, headers: headers[credential] });
				const refusal = expectedRefusal(name, credential);
				expect.soft(refusalOf(name, status, body), `${name}, ${credential}: ${body}`).toBe(refusal);
			}
		}
	});

	it('admits nobody from another origin or host, on any route, and no program with an origin', async () => {
		await using rig = await startTestHub({ limits, origins: ['https://hub.example.com'] });
		const { headers } = await startWorld(rig);
		const places: Record<string, string>[] = [
			{ origin: 'http://evil.com' },
			{ origin: 'null' },
			{ origin: `http://localhost.evil.com:${rig.port}` },
			{ origin: 'https://hub.example.com' },
			{ host: 'evil.com' },
			{ host: `127.0.0.1:${rig.port + 1}` },
			{ host: 'hub.example.com.evil.com' },
		];
		for (const { name, method, path } of doorsOf(rig)) {
			for (const place of places) {
				const { status } = await sendRaw({ port: rig.port, method, path, headers: { ...headers.owner, ...place } });
				expect.soft(status, `${name}, ${JSON.stringify(place)}`).toBe(403);
			}
			if (OPEN.has(name) || name.startsWith('GET /assets/')) continue;
			const own = await sendRaw({ port: rig.port, method, path, headers: { ...headers.owner, origin: rig.url } });
			expect.soft(own.status, `${name}, a program with an origin`).toBe(403);
		}
	});

	it('accepts the token of its machine by loopback names only', async () => {
		await using rig = await startTestHub({ limits, origins: ['https://hub.example.com', 'http://hub.local:4100'] });
		for (const [host, status] of [
			[`127.0.0.1:${rig.port}`, 200],
			[`localhost:${rig.port}`, 200],
			['hub.example.com', 403],
			['hub.local:4100', 403],
		] as const) {
			const reply = await rig.call({ path: '/api/v1/people', headers: { ...OWN_TOKEN, host } });
			expect.soft(reply.status, host).toBe(status);
		}
	});

	it('revokes all devices for the token alone', async () => {
		await using rig = await startTestHub({ limits });
		const { headers } = await startWorld(rig);
		for (const credential of CREDENTIALS) {
			const { status } = await sendRaw({
				port: rig.port,
				method: 'DELETE',
				path: '/api/v1/devices',
				headers: headers[credential],
			});
			expect
				.soft([200, 401, 403].includes(status) && (status === 200 ? undefined : status), credential)
				.toBe(expectedRefusal(LAST, credential));
		}
	});

	it('answers about a runner without a role as about one that does not exist', async () => {
		await using rig = await startTestHub({ limits });
		const { headers } = await startWorld(rig);
		for (const { name, method, path } of doorsOf(rig).filter((door) => CLASSES.has(door.name))) {
			const ask = (at: string) => sendRaw({ port: rig.port, method, path: at, headers: headers.stranger });
			const [known, unknown] = [await ask(path), await ask(path.replace('runner-1', 'runner-0'))];
			expect.soft([known.status, known.body.replaceAll('runner-1', 'runner-0')], name).toEqual([unknown.status, unknown.body]);
		}
		const listed = JSON.parse((await rig.call({ path: '/api/v1/runners', headers: headers.stranger })).body);
		expect(listed.map(({ id }: { id: string }) => id)).toEqual(['of-sam']);
		const sent = await rig.post('/api/v1/runners/runner-1/sessions/x/interrupt', { commandId: 'c1' }, headers.operator);
		expect(sent).toMatchObject({ status: 202 });
		const commands = async (credential: Credential) =>
			JSON.parse((await rig.call({ path: '/api/v1/commands', headers: headers[credential] })).body).length;
		expect([await commands('stranger'), (await commands('viewer')) > 0]).toEqual([0, true]);
	});

	it('opens sockets like its routes, for programs and for pages', async () => {
		await using rig = await startTestHub({ limits });
		const { headers } = await startWorld(rig);
		const { port } = rig;
		const stream = '/api/v1/runners/runner-1/stream';
		for (const credential of CREDENTIALS) {
			const opened = await upgradeRaw({ port, path: stream, headers: headers[credential] });
			const refusal = 'status' in opened ? opened.status : undefined;
			if (!('status' in opened)) await opened[Symbol.asyncDispose]();
			const expected = isIn(NO_CREDENTIAL, credential) ? 401 : credential === 'stranger' ? 404 : undefined;
			expect.soft(refusal, credential).toBe(expected);
		}
		for (const path of [stream, '/api/v1/runners/runner-0/stream', '/api/v1/runners/runner-1/terminals/x']) {
			for (const origin of ['http://evil.com', 'null']) {
				expect.soft(await upgradeRaw({ port, path, headers: { origin } }), path).toMatchObject({ status: 403 });
			}
			expect
				.soft(await upgradeRaw({ port, path, headers: { ...headers.owner, host: 'evil.com' } }))
				.toMatchObject({ status: 403 });
		}
	});

	it('admits the page of a person with a role, and closes it for others as for a runner that does not exist', async () => {
		await using rig = await startTestHub({ limits });
		const owner = await rig.pair({ user: 'lea', id: 'runner-1' });
		const lea = await registerTestDevice(rig.port, await rig.invite('lea'));
		const sam = await registerTestDevice(rig.port, await rig.invite('sam'));
		const open = async (device: typeof lea, id: string) => {
			const path = `/api/v1/runners/${id}/stream`;
			return opened(await upgradeRaw({ port: rig.port, path, headers: { origin: rig.url }, bearer: await device.bearer() }));
		};
		await using own = await open(lea, owner.id);
		await own.frame('hello');
		for (const id of ['runner-1', 'runner-0']) {
			await using other = await open(sam, id);
			expect(await waitFor(() => other.closed(), { what: 'the socket to be closed' })).toBe(NOT_ADMITTED);
			expect(other.texts).toEqual([]);
		}
	});

	it('lets a runner connect without an origin and with its own host only', async () => {
		await using rig = await startTestHub({ limits });
		const machine = await rig.pair();
		const places: Record<string, string>[] = [
			{ origin: rig.url },
			{ origin: 'http://evil.com' },
			{ origin: 'null' },
			{ host: 'evil.com' },
		];
		for (const headers of places) {
			await using refused = await connectRaw(rig, machine, headers);
			await refused.closed();
			expect.soft(refused.frames, JSON.stringify(headers)).toEqual([]);
		}
		await using runner = await connectRaw(rig, machine);
		await runner.register();
		await runner.frame('runner.registered');
	});

	it('answers the sixth wrong credential of a minute with 429, and valid ones as ever', async () => {
		await using rig = await startTestHub();
		const { headers } = await rig.pair();
		const guess = async () => (await rig.call({ path: '/api/v1/runners', headers: { authorization: 'Bearer wrong' } })).status;
		const statuses = [];
		for (let at = 0; at < 6; at += 1) statuses.push(await guess());
		expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
		expect((await rig.call({ path: '/api/v1/runners', headers })).status).toBe(200);
		rig.clock.aheadMs = 61_000;
		expect(await guess()).toBe(401);
	});
});

/** Part of the guarantee in docs/security.md, so this deadline is an assertion. */
const CLOSED = { deadlineMs: 2_000, what: 'the socket to be closed' };

describe('revocation at a hub', () => {
	it.each(['the API', 'another process'])('closes the sockets of a device within two seconds: by %s', async (by) => {
		await using rig = await startTestHub();
		const { headers, joined } = await rig.pair();
		await using stream = await upgradeRaw({ port: rig.port, path: '/api/v1/runners/runner-1/stream', headers }).then(opened);
		await stream.frame('hello');
		const { id } = joined.device;
		if (by === 'the API') await rig.call({ method: 'DELETE', path: `/api/v1/devices/${id}` });
		else changeDatabase(rig.database, 'UPDATE devices SET revoked_at = 1 WHERE id = ?', id);
		expect(await waitFor(() => stream.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect((await rig.call({ path: '/api/v1/runners', headers })).status).toBe(401);
	});

	it('closes the sockets of a person who lost a role, who then sees nothing of that runner', async () => {
		await using rig = await startTestHub();
		await rig.pair();
		const path = '/api/v1/runners/runner-1/stream';
		const lea = await rig.pair({ user: 'lea', grants: [{ runner: null, role: 'viewer' }], id: 'of-lea' });
		await using stream = await upgradeRaw({ port: rig.port, path, headers: lea.headers }).then(opened);
		await stream.frame('hello');
		await rig.post('/api/v1/people/lea/grants', { grants: [] });
		expect(await waitFor(() => stream.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect(await upgradeRaw({ port: rig.port, path, headers: lea.headers })).toMatchObject({ status: 404 });
	});
});

function opened(stream: Awaited<ReturnType<typeof upgradeRaw>>) {
	return 'status' in stream ? expect.fail(stream.body) : stream;
}

function isIn<T extends string>(list: readonly T[], one: string): one is T {
	return (list as readonly string[]).includes(one);
}

/** A 404 counts as a refusal only where it says that there is no such runner. */
function refusalOf(name: string, status: number, body: string): number | undefined {
	if (status === 401 || status === 403) return status;
	return status === 404 && CLASSES.has(name) && body.includes('Runner \\"runner-1\\" not found') ? 404 : undefined;
}
