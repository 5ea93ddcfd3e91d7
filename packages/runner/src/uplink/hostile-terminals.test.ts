// A hub in the wrong hands, between a device and a real program in a real terminal: no byte of the hub reaches the program.
import { randomBytes } from 'node:crypto';
import { readPairing } from '@roost/home/hub/pairing';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import { sealedAttach, sealedAttached } from '@roost/protocol/hub/terminal-channel';
import { runnerStream } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { type FaceOptions, type HubChanges, openFaceAtHub, type PassedMessage } from '@roost/testkit/rigs/hub/face-at-hub';
import { startScriptedHub } from '@roost/testkit/rigs/hub/scripted-hub';
import { createSigningDevice } from '@roost/testkit/rigs/hub/signing-device';
import { openUplinkRig, UPLINK_RUNNER } from '@roost/testkit/rigs/hub/uplink-rig';
import { createTestTerminals, programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { exchangeKeys } from './runner-cipher.ts';

/** A key of the hub's own. */
const OTHER_KEY = unwrap(exchangeKeys(unwrap(exchangeKeys(basePoint(), () => '')).publicKey, () => '')).publicKey;

describe('hub that is hostile to terminals', { timeout: 60_000 }, () => {
	it('reads nothing of what a trusted device types and sees, and changes nothing', async () => {
		await using world = await openWorld();
		using face = world.open();
		await face.viewer.controls();
		face.viewer.type('echo seen-$((1 + 1))\r');
		await face.viewer.shows('seen-2');
		expect(world.typed()).toBe('echo seen-$((1 + 1))\r');
		const passed = Buffer.concat([...face.sent, ...(await face.channel).messages].map((message) => Buffer.from(message)));
		expect(passed.includes('seen-')).toBe(false);
		expect(passed.includes('terminals.attached')).toBe(true);
		expect(world.facts()).toEqual([]);
	});

	const refused: [name: string, reason: RegExp, over: (world: World) => Partial<FaceOptions>][] = [
		['swaps the key of the face', /not of this command/, () => ({ changes: { fromFace: changeAttach({ key: OTHER_KEY }) } })],
		['opens another terminal', /opened terminal ".*" instead of/, ({ other }) => ({ asked: other })],
		[
			'opens another terminal, and names it in what the device signed',
			/not of this command/,
			({ other }) => ({ asked: other, changes: { fromFace: changeAttach({ id: other }) } }),
		],
		['has a device that is not trusted', /is not trusted on this runner/, () => ({ device: createSigningDevice() })],
		['keeps what a device signed until it has expired', /has expired by the clock/, () => ({ sealedAt: Date.now() - 120_000 })],
	];
	it.each(refused)('%s: refused, recorded, and nothing is attached', async (_name, reason, over) => {
		await using world = await openWorld();
		using face = world.open(over(world));
		const end = await waitFor(() => face.viewer.seen.over, { what: 'the refusal' });
		expect(end).toMatchObject({ type: 'failed', error: { code: 'denied', message: expect.stringMatching(reason) } });
		expect(world.facts()).toEqual([expect.stringMatching(reason)]);
		expect([world.attached(), world.typed()]).toEqual([0, '']);
	});

	it('swaps the key of the runner: the device sends nothing, and says so', async () => {
		await using world = await openWorld();
		const thief = createSigningKey();
		const swap = (message: PassedMessage): PassedMessage[] => {
			const answer = sealedAttached.safeParse(typeof message === 'string' ? JSON.parse(message) : undefined);
			if (!answer.success) return [message];
			return [JSON.stringify({ ...answer.data, key: OTHER_KEY, signature: signText(thief, 'anything') })];
		};
		using face = world.open({ changes: { fromRunner: swap } });
		const over = await waitFor(() => face.viewer.seen.over, { what: 'the refusal' });
		expect(over).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('not signed with the key') } });
		expect(face.sent.length).toBe(1);
		expect([world.attached(), world.typed()]).toEqual([0, '']);
	});

	it('repeats everything that a device sent, to this runner and to its next process: nothing is attached', async () => {
		await using world = await openWorld();
		using face = world.open();
		await face.viewer.controls();
		face.viewer.type('echo once\r');
		await face.viewer.shows('once');
		const replay = async () => {
			const channel = await world.hub.openChannel({ ...world.opening(), channel: newChannel() });
			const [attach = '', ...typed] = face.sent;
			channel.socket.send(attach);
			await waitFor(() => channel.messages[1], { what: 'the answer to the replay' });
			for (const message of typed) channel.socket.send(message, { binary: true });
			await waitFor(() => channel.closed(), { what: 'the end of the replay' });
			return channel.messages.filter((message) => typeof message === 'string').at(-1);
		};
		expect(await replay()).toContain('was used before');
		expect(world.facts()).toEqual([expect.stringContaining('was used before')]);
		await world.restart();
		expect(await replay()).toContain('terminals.attached');
		expect([world.attached(), world.typed()]).toEqual([1, 'echo once\r']);
	});

	const tampered: [name: string, change: (frame: Buffer) => PassedMessage[]][] = [
		['flips a bit of what is typed', (frame) => [flip(frame, frame.length - 20)]],
		['flips a bit of a tag', (frame) => [flip(frame, frame.length - 1)]],
		['turns keys into a command', (frame) => [flip(frame, 0)]],
		['cuts what is typed', (frame) => [frame.subarray(0, 10)]],
		['leaves out a frame', () => []],
		['adds a frame', (frame) => [Buffer.concat([Buffer.of(1), randomBytes(40)]), frame]],
		['adds a command in the clear', (frame) => ['{"type":"input","base64":"cm0gLXJmIC8N"}', frame]],
	];
	it.each(tampered)('%s: the channel ends, and the program gets nothing', async (_name, change) => {
		await using world = await openWorld();
		let isHostile = false;
		const fromFace: HubChanges['fromFace'] = (message) => {
			if (!isHostile || typeof message === 'string') return [message];
			isHostile = false;
			return change(message);
		};
		using face = world.open({ changes: { fromFace } });
		await face.viewer.controls();
		isHostile = true;
		face.viewer.type('rm -rf /tmp/nothing');
		face.viewer.type('\r');
		const channel = await face.channel;
		await waitFor(() => channel.closed(), { what: 'the end of the channel' });
		expect(world.typed()).toBe('');
	});

	it('repeats one frame of a device: the program gets it once', async () => {
		await using world = await openWorld();
		let last: Buffer | undefined;
		const fromFace: HubChanges['fromFace'] = (message) => {
			if (typeof message !== 'string') last = message;
			return [message];
		};
		using face = world.open({ changes: { fromFace } });
		await face.viewer.controls();
		face.viewer.type('echo x\r');
		await face.viewer.shows(/\nx\r/);
		const { socket, closed } = await face.channel;
		socket.send(last ?? '', { binary: true });
		await waitFor(closed, { what: 'the end of the channel' });
		expect(world.typed()).toBe('echo x\r');
	});

	it('flips a bit of what the program printed: the device shows nothing of it', async () => {
		await using world = await openWorld();
		let isHostile = false;
		const fromRunner: HubChanges['fromRunner'] = (message) =>
			isHostile && typeof message !== 'string' ? [flip(message, message.length - 20)] : [message];
		using face = world.open({ changes: { fromRunner } });
		await face.viewer.controls();
		isHostile = true;
		face.viewer.type('echo shown-$((1 + 1))\r');
		await waitFor(() => face.viewer.seen.lost.at(-1), { what: 'the lost connection' });
		expect(face.viewer.seen.lost.at(-1)).toContain('was changed on its way');
		expect(face.viewer.bytes().toString()).not.toContain('shown');
	});

	it('keeps a terminal open for a device that is no longer trusted: the runner ends it, and the program gets nothing more', async () => {
		await using world = await openWorld();
		using face = world.open();
		await face.viewer.controls();
		world.untrust();
		const { closed } = await face.channel;
		await waitFor(closed, { what: 'the end of the channel' });
		face.viewer.type('echo late\r');
		expect(world.typed()).toBe('');
	});

	it('opens nothing where the owner of the machine accepts no such command', async () => {
		await using world = await openWorld({ accepts: { own: 'none' } });
		using face = world.open();
		const over = await waitFor(() => face.viewer.seen.over, { what: 'the refusal' });
		expect(over).toMatchObject({ error: { message: expect.stringContaining('does not accept "terminals.attach"') } });
		expect(world.attached()).toBe(0);
	});
});

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(config: object = {}) {
	await using stack = new AsyncDisposableStack();
	const hub = stack.use(await startScriptedHub());
	const { path } = stack.use(await createTempDir());
	const terminals = stack.use(createTestTerminals());
	const rows = [
		await terminals.start({ program: programIn(path, '/bin/sh') }),
		await terminals.start({ program: programIn(path, '/bin/sh') }),
	];
	const [id, other] = rows.map((row) => unwrap(row).id);
	if (!id || !other) return expect.unreachable('two terminals');
	let typed = '';
	let attached = 0;
	const screens: typeof terminals = {
		...terminals,
		attach(...request) {
			const viewer = terminals.attach(...request);
			if (!viewer.ok) return viewer;
			attached += 1;
			const input = (bytes: Uint8Array) => {
				typed += Buffer.from(bytes).toString();
				viewer.value.input(bytes);
			};
			return ok({ ...viewer.value, input });
		},
	};
	const homes = stack.use(await createTempDir()).path;
	const open = () => openUplinkRig(hub, { screens, config, home: homes, isPaired: !isPaired });
	let isPaired = false;
	let rig = await open();
	isPaired = true;
	stack.defer(() => rig[Symbol.asyncDispose]());
	const device = createSigningDevice();
	device.trust(homes);
	await hub.connected();
	const runnerKey = unwrap(readPairing({ data: homes }))?.key.publicKey ?? '';
	const by = { name: device.entry.user, face: `cli:${device.entry.id}`, device: device.entry.id };
	const owned = stack.move();
	return {
		hub,
		other,
		opening: () => ({ terminalId: id, by }),
		open: (over: Partial<FaceOptions> = {}) =>
			openFaceAtHub({ hub, device, runner: UPLINK_RUNNER, runnerKey, terminal: id, channel: newChannel(), ...over }),
		untrust: () => device.untrust(homes),
		typed: () => typed,
		attached: () => attached,
		facts: () =>
			unwrap(rig.store.read({ stream: runnerStream(UPLINK_RUNNER), after: 0, limit: 100 })).flatMap(({ line }) => {
				const { event } = JSON.parse(line);
				return event.kind === 'runtime.error' ? [event.data.message as string] : [];
			}),
		/** Another process of the runner, with the same home. */
		async restart() {
			await rig[Symbol.asyncDispose]();
			rig = await open();
			await rig.until('connected');
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function newChannel(): string {
	return randomBytes(24).toString('base64url');
}

function changeAttach(input: object): NonNullable<HubChanges['fromFace']> {
	return (message) => {
		const attach = sealedAttach.safeParse(typeof message === 'string' ? JSON.parse(message) : undefined);
		return attach.success ? [JSON.stringify({ ...attach.data, input: { ...attach.data.input, ...input } })] : [message];
	};
}

function flip(frame: Buffer, at: number): Buffer {
	const changed = Buffer.from(frame);
	changed[at] = (changed[at] ?? 0) ^ 1;
	return changed;
}

/** A valid public key. */
function basePoint(): string {
	const bytes = Buffer.alloc(32);
	bytes[0] = 9;
	return bytes.toString('base64url');
}
