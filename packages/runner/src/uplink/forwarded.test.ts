// What a hub may have run, and how often; with the handlers of this test in place of sessions.
import { AppError } from '@roost/protocol/app-error';
import { contract } from '@roost/protocol/contract/contract';
import { COMMAND_CLASSES, commandClass } from '@roost/protocol/hub/accepts';
import type { HubFrame } from '@roost/protocol/hub/link-frames';
import { LONGEST_SEAL_MS } from '@roost/protocol/hub/signed-command';
import { runnerStream } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { startScriptedHub } from '@roost/testkit/rigs/hub/scripted-hub';
import { createSigningDevice } from '@roost/testkit/rigs/hub/signing-device';
import { openUplinkRig, UPLINK_RUNNER, type UplinkRigOptions } from '@roost/testkit/rigs/hub/uplink-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const LEA = { name: 'lea', face: 'web' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DENIAL = { id: 's1', askId: 's1.1', nonce: 'n', decision: 'deny' };
const SHOWN = 'a'.repeat(64);

describe('command of a hub', () => {
	/** One operation of each class, with the input of each. */
	const byClass = {
		read: ['rules.test', { tool: 'Bash', input: {} }],
		stop: ['asks.approve', { ...DENIAL, shown: SHOWN }],
		operate: ['sessions.rename', { id: 's1', title: 'A' }],
		approve: ['asks.approve', { ...DENIAL, decision: 'allow', shown: SHOWN }],
		own: ['rules.remove', { id: 'r1' }],
	} as const;

	for (const kind of COMMAND_CLASSES) {
		const levels = kind === 'read' ? (['none', 'role'] as const) : (['none', 'role', 'signed'] as const);
		for (const level of levels) {
			it(`of class ${kind} obeys hub.accepts: ${level}`, async () => {
				await using world = await openWorld({ config: { accepts: { [kind]: level } } });
				const [operation, input] = byClass[kind];
				const sealed = await world.device.command(UPLINK_RUNNER, operation, input);
				const unsigned = { ...sealed, seal: undefined };
				if (kind === 'read') {
					const read = await world.request({ operation, input });
					expect(read.ok).toBe(level === 'role');
					expect((await world.command(unsigned)).ok).toBe(false);
					expect(world.ran).toHaveLength(level === 'role' ? 1 : 0);
					return;
				}
				expect((await world.request({ operation, input: sealed.input })).ok).toBe(false);
				expect((await world.command({ ...unsigned, ...world.fresh(sealed) })).ok).toBe(level === 'role');
				expect((await world.command(sealed)).ok).toBe(level !== 'none');
				expect(world.ran).toHaveLength(level === 'none' ? 0 : level === 'role' ? 2 : 1);
				const refused = (await world.refusals()).length;
				expect(refused).toBe(level === 'none' ? 3 : level === 'role' ? 1 : 2);
			});
		}
	}

	it('is never one that needs the token or a device, manages people, or opens a socket', async () => {
		const accepts = { stop: 'role', operate: 'role', approve: 'role', own: 'role' };
		await using world = await openWorld({ config: { accepts } });
		const operations = Object.entries(contract).flatMap(([resource, named]) =>
			Object.entries(named).map(([name, operation]) => ({ name: `${resource}.${name}`, operation })),
		);
		const never = operations.filter(
			({ name, operation: { needs, ...marks } }) =>
				'tokenOnly' in marks || 'deviceOnly' in marks || 'upgrade' in marks || 'media' in marks || !commandClass(name, needs, {}),
		);
		expect(never.length).toBeGreaterThan(10);
		for (const { name } of never) {
			expect.soft(await world.command({ operation: name, input: {} }), name).toMatchObject({ error: { code: 'denied' } });
			expect.soft(await world.request({ operation: name, input: {} }), name).toMatchObject({ error: { code: 'denied' } });
		}
	});

	it('names the hub and its device as its caller, whatever the hub says of it', async () => {
		await using world = await openWorld({ config: { accepts: { own: 'role' } } });
		const by = { name: 'lea\u001b[2J', face: 'cli@x y', peer: 'process 1' };
		await world.command({ operation: 'rules.remove', input: { id: 'r1' }, by });
		const signed = await world.device.command(UPLINK_RUNNER, 'sessions.rename', { id: 's1', title: 'A' });
		await world.command(signed);
		expect(world.ran.map(({ by: caller }) => caller)).toEqual([
			{ name: expect.stringMatching(/^lea[ -~]*$/), face: 'hub-cli-x-y' },
			{ name: 'lea', face: `hub:${world.device.entry.id}` },
		]);
	});

	it('is refused while a thousand others run', async () => {
		await using world = await openWorld();
		const begun = world.hang();
		for (let at = 0; at < 1_000; at += 1) world.send({ operation: 'asks.approve', input: DENIAL });
		await begun;
		expect(await world.command({ operation: 'asks.approve', input: DENIAL })).toMatchObject({ error: { code: 'rate_limited' } });
		expect(world.ran).toHaveLength(1_000);
	});

	it('that cannot be read is answered', async () => {
		await using world = await openWorld();
		const bad = { type: 'session.command', commandId: 'c1', operation: 1 };
		world.hub.sendText(JSON.stringify(bad));
		world.hub.sendText(JSON.stringify({ type: 'request', id: 'r1', operation: 1 }));
		expect(await world.hub.receipt('c1')).toMatchObject({ error: { code: 'bad_request' } });
		expect(await world.hub.reply('r1')).toMatchObject({ error: { code: 'bad_request' } });
	});
});

describe('command id of a hub', () => {
	it('has one effect, delivered five times at once and again to the next runner', async () => {
		await using home = await createTempDir();
		await using store = createMemoryStore();
		const device = createSigningDevice();
		const frame = await device.command(
			UPLINK_RUNNER,
			'sessions.rename',
			{ id: 's1', title: 'A' },
			{ expiresAt: Date.now() + MINUTE },
		);
		{
			await using world = await openWorld({ store, home: home.path, device });
			for (let time = 0; time < 5; time += 1) world.hub.send(frame);
			await world.hub.receipt(frame.commandId, 5);
			expect(world.hub.of('command.receipt').map(({ outcome }) => outcome)).toEqual(Array(5).fill(RAN));
			expect(world.ran).toHaveLength(1);
		}
		// Its signature has expired, and its device is no longer trusted: it has run, and is not judged again.
		await using next = await openWorld({ store, home: home.path, device, now: () => Date.now() + DAY });
		device.untrust(next.rig.home);
		expect(await next.command(frame)).toEqual(RAN);
		expect(await next.command({ ...frame, input: { ...frame.input, title: 'B' } })).toMatchObject({
			error: { code: 'conflict' },
		});
		expect(next.ran).toEqual([]);
		expect(await next.refusals()).toEqual([]);
	});

	it('must be the one in its input', async () => {
		await using world = await openWorld();
		const outcome = await world.command({ operation: 'asks.approve', input: { ...DENIAL, commandId: 'other' } });
		expect(outcome).toMatchObject({ error: { code: 'denied', message: 'Its input names another command ID.' } });
		expect(world.ran).toEqual([]);
	});

	it('keeps its failure, with the winner of a lost race', async () => {
		await using store = createMemoryStore();
		const command = { commandId: 'c1', operation: 'asks.approve', input: DENIAL };
		const failed = {
			ok: false,
			error: { code: 'conflict', message: 'Ask s1.1 was already allowed by ann@tui.' },
			winner: { state: 'allowed', principal: 'ann@tui' },
		};
		{
			await using world = await openWorld({ store });
			world.lose(failed.error.message, failed.winner);
			expect(await world.command(command)).toEqual(failed);
		}
		await using next = await openWorld({ store });
		expect(await next.command(command)).toEqual(failed);
		expect(next.ran).toEqual([]);
	});

	it('of an effect outside the log has an unknown outcome after a kill', async () => {
		await using store = createMemoryStore();
		const command = { commandId: 'c1', operation: 'rules.remove', input: { id: 'r1' } };
		const config = { accepts: { own: 'role' } };
		{
			await using world = await openWorld({ store, config });
			const begun = world.hang();
			world.send(command);
			await begun;
		}
		await using next = await openWorld({ store, config });
		expect(await next.command(command)).toMatchObject({
			error: { message: expect.stringContaining('outcome of this command is unknown') },
		});
		expect(next.ran).toEqual([]);
	});

	it('is answered over the next connection, if the one it came through broke meanwhile', async () => {
		await using world = await openWorld();
		const begun = world.hang();
		world.send({ commandId: 'c1', operation: 'asks.approve', input: DENIAL });
		await begun;
		world.hub.cut();
		await world.hub.connected(2);
		await world.rig.until('connected');
		world.resume();
		expect(await world.hub.receipt('c1')).toEqual(RAN);
	});
});

describe('clock', () => {
	const rename = ['sessions.rename', { id: 's1', title: 'A' }] as const;

	it.each([
		['of the runner a day late', -DAY, undefined],
		['of the runner a day early, for a command of two days', DAY, undefined, 2 * DAY],
		['of the runner a day early', DAY, 'has expired by the clock of this runner'],
		['of the runner more than a day late', -DAY - MINUTE, 'signed in the future'],
		['of the device so early that the signature outlives its limit', 0, 'at most 7 days', LONGEST_SEAL_MS + 1],
		['of the runner a week early', LONGEST_SEAL_MS + MINUTE, 'has expired', LONGEST_SEAL_MS],
	])('%s', async (_, skew, refusal, life = MINUTE) => {
		const at = Date.now();
		await using world = await openWorld({ now: () => at + skew });
		const frame = await world.device.command(UPLINK_RUNNER, ...rename, { now: at, expiresAt: at + life });
		const outcome = await world.command(frame);
		if (refusal === undefined) expect(outcome).toEqual(RAN);
		else expect(outcome).toMatchObject({ error: { code: 'denied', message: expect.stringContaining(refusal) } });
		expect(await world.refusals()).toHaveLength(refusal === undefined ? 0 : 1);
		expect(world.ran).toHaveLength(refusal === undefined ? 1 : 0);
	});

	it('of the hub is not asked: a command without a signature has the deadline that the hub keeps', async () => {
		await using world = await openWorld();
		expect(await world.command({ operation: 'asks.approve', input: DENIAL, expiresAt: Date.now() - DAY })).toEqual(RAN);
	});

	it('that steps back and forth runs nothing twice', async () => {
		let at = Date.now();
		await using store = createMemoryStore();
		const device = createSigningDevice();
		const frame = await device.command(UPLINK_RUNNER, ...rename, { now: at, expiresAt: at + LONGEST_SEAL_MS });
		let ran = 0;
		for (const step of [0, 8 * DAY, -9 * DAY, DAY, 6 * DAY]) {
			at += step;
			await using world = await openWorld({ store, device, now: () => at });
			expect(await world.command(frame)).toEqual(RAN);
			// Another command is what removes old receipts.
			await world.command({ operation: 'asks.approve', input: DENIAL, commandId: `at ${at}` });
			ran += world.ran.filter(({ name }) => name === 'rename').length;
		}
		expect(ran).toBe(1);
	});
});

const RAN = { ok: true, value: { sessionId: 's1' } };

type Frame = Extract<HubFrame, { type: 'session.command' }>;
type Options = Pick<UplinkRigOptions, 'store' | 'config' | 'now' | 'home'> & {
	device?: ReturnType<typeof createSigningDevice>;
	store?: Store;
};

async function openWorld(options: Options = {}) {
	await using stack = new AsyncDisposableStack();
	const hub = stack.use(await startScriptedHub());
	const { device = createSigningDevice(), store = stack.use(createMemoryStore()) } = options;
	const ran: { name: string; by: unknown }[] = [];
	let next: () => Promise<unknown> = async () => ok({ sessionId: 's1' });
	let resume = () => {};
	const handler =
		(name: string) =>
		async (_: unknown, { by }: { by: unknown }) => {
			ran.push({ name, by });
			return await next();
		};
	const handlers = {
		asks: { approve: handler('approve') },
		sessions: { rename: handler('rename') },
		rules: { remove: handler('remove'), test: handler('test') },
	};
	const rig = stack.use(await openUplinkRig(hub, { ...options, store, handlers }));
	device.trust(rig.home);
	await rig.until('connected');
	let count = 0;
	const toFrame = (over: Partial<Frame>): Frame => {
		count += 1;
		const plain = { operation: 'rules.test', input: {}, by: LEA, expiresAt: Date.now() + MINUTE, commandId: `c-${count}` };
		return { type: 'session.command', ...plain, ...over };
	};
	const owned = stack.move();
	return {
		hub,
		rig,
		device,
		ran,
		resume: () => resume(),
		/** The handler waits; resolves when it was called. */
		hang(): Promise<void> {
			const { promise, resolve } = Promise.withResolvers<void>();
			next = () => {
				resolve();
				return new Promise((settle) => {
					resume = () => settle(ok({ sessionId: 's1' }));
				});
			};
			return promise;
		},
		lose(message: string, winner: object) {
			next = async () => ({ ok: false, error: new AppError('conflict', message, { cause: { winner } }) });
		},
		/** The same words under another id. */
		fresh: ({ input }: Frame) => ({ commandId: 'fresh', input: 'commandId' in input ? { ...input, commandId: 'fresh' } : input }),
		send: (over: Partial<Frame>) => hub.send(toFrame(over)),
		async command(over: Partial<Frame>) {
			const frame = toFrame(over);
			const before = hub.of('command.receipt').filter(({ commandId }) => commandId === frame.commandId).length;
			hub.send(frame);
			return await hub.receipt(frame.commandId, before + 1);
		},
		async request(over: Pick<Frame, 'operation' | 'input'>) {
			count += 1;
			hub.send({ type: 'request', id: `r-${count}`, by: LEA, ...over });
			return await hub.reply(`r-${count}`);
		},
		/** The facts of refused commands. */
		async refusals(): Promise<string[]> {
			const lines = unwrap(store.read({ stream: runnerStream(UPLINK_RUNNER), after: 0, limit: 100 }));
			const events = lines.map(({ line }) => storedLine.parse(JSON.parse(line)).event);
			return events.flatMap(({ kind, data }) =>
				kind === 'runtime.error' && data.code === 'refused_command' ? [data.message] : [],
			);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
