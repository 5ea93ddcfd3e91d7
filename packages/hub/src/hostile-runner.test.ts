// A hostile runner at a real hub: whatever it sends, nothing is stored that does not belong to its log, and no other runner is affected.
import { MOST_LINK_FRAME } from '@roost/protocol/hub/link-frames';
import { runnerId } from '@roost/protocol/ids';
import { connectRaw, type RawRunner, toBatch } from '@roost/testkit/rigs/hub/raw-runner';
import { type ChainedLine, logOf, sampleLog } from '@roost/testkit/rigs/hub/sample-log';
import { newJoiner, startTestHub, type TestHub } from '@roost/testkit/rigs/hub/test-hub';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const OWN = ['s1', 's1', 's2', 's1'];

/** A hub with a victim, whose log is stored, and a machine of another person. */
async function startWorld(over: Parameters<typeof startTestHub>[0] = {}) {
	const rig = await startTestHub(over);
	const victim = await rig.pair({ user: 'lea', id: 'victim' });
	const machine = await rig.pair({ user: 'eve', id: 'runner-1' });
	const record = await sampleLog('victim', OWN);
	await using sender = await connectRaw(rig, victim);
	await sender.register();
	await sender.frame('runner.registered');
	send(sender, record);
	await sender.acknowledged(record.length);
	const stored = async () => unwrap(await rig.store.logs.read(logOf('victim'), { afterSeqNo: 0, limit: 100 }));
	const before = JSON.stringify(await stored());
	const isUntouched = async () => JSON.stringify(await stored()) === before;
	return { rig, victim, machine, isUntouched, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

function send(runner: RawRunner, lines: readonly ChainedLine[], change: object = {}): void {
	runner.send(
		{ ...toBatch(lines), ...change },
		lines.map(({ line }) => line),
	);
}

async function registered(rig: TestHub, machine: Parameters<typeof connectRaw>[1]): Promise<RawRunner> {
	const runner = await connectRaw(rig, machine);
	await runner.register();
	await runner.frame('runner.registered');
	return runner;
}

async function lastOf(rig: TestHub, id = 'runner-1'): Promise<number> {
	const log = unwrap(await rig.store.logs.current(runnerId.parse(id)));
	return log ? unwrap(await rig.store.logs.end(log)).lastSeqNo : 0;
}

describe('registration of a hostile runner', () => {
	it('fails without the key that was paired, in the same words for runners that exist and that do not', async () => {
		await using world = await startWorld();
		const { rig, machine, victim } = world;
		const sentences = new Set<string>();
		const tries = [
			{ as: machine, change: { runnerId: victim.id } },
			{ as: machine, change: { runnerId: runnerId.parse('unknown') } },
			{ as: { ...machine, runner: newJoiner('x').runner }, change: {} },
			{ as: machine, change: { signature: 'A'.repeat(86) } },
		];
		for (const { as, change } of tries) {
			await using runner = await connectRaw(rig, as);
			await runner.register(change);
			const { message, final } = await runner.refusal();
			sentences.add(message);
			expect(final).toBe(true);
		}
		expect([...sentences]).toEqual([expect.stringContaining('is not paired with this hub. Run "roost join"')]);
		expect(await world.isUntouched()).toBe(true);
	});

	it('fails with a signature of another connection', async () => {
		await using world = await startWorld();
		await using first = await connectRaw(world.rig, world.machine);
		await using second = await connectRaw(world.rig, world.machine);
		const { nonce } = await first.frame('hub.challenge');
		expect((await second.frame('hub.challenge')).nonce).not.toBe(nonce);
		await second.register({}, nonce);
		expect((await second.refusal()).final).toBe(true);
	});

	it.each([
		[{ min: 2, max: 9 }, 'Update the hub.'],
		[{ min: 0, max: 0 }, 'Update Roost on the machine of the runner.'],
	])('fails with another protocol, and the sentence says which side to update: %j', async (protocol, sentence) => {
		await using world = await startWorld();
		await using runner = await connectRaw(world.rig, world.machine);
		await runner.register({ protocol });
		expect(await runner.refusal()).toEqual({ message: expect.stringContaining(sentence), final: true });
	});

	it('is the first frame, once, and in time', async () => {
		await using world = await startWorld({ limits: { registerMs: 200 } });
		await using silent = await connectRaw(world.rig, world.machine);
		await using eager = await connectRaw(world.rig, world.machine);
		eager.send({ type: 'ping' });
		expect((await eager.refusal()).message).toContain('has to be "runner.register"');
		await using twice = await registered(world.rig, world.machine);
		await twice.register();
		expect((await twice.refusal()).message).toContain('registered already');
		await silent.closed();
		expect(silent.frames.map(({ type }) => type)).toEqual(['hub.challenge']);
	});

	it('ends the earlier connection of the same runner, and no other', async () => {
		await using world = await startWorld();
		await using other = await registered(world.rig, world.victim);
		await using first = await registered(world.rig, world.machine);
		await using second = await registered(world.rig, world.machine);
		expect(await first.closed()).toBe(4409);
		expect([second.isOpen(), other.isOpen()]).toEqual([true, true]);
	});

	it('costs little before it is done: few bytes, few connections', async () => {
		await using world = await startWorld({ limits: { strangers: 4, strangerBytes: 10_000 } });
		const { rig, machine } = world;
		await using flood = await connectRaw(rig, machine);
		flood.sendText(JSON.stringify({ type: 'runner.register', pad: 'x'.repeat(4_000_000) }));
		await flood.closed();
		expect(flood.frames.map(({ type }) => type)).toEqual(['hub.challenge']);
		const waiting = await Promise.all(Array.from({ length: 10 }, () => connectRaw(rig, machine)));
		await waitFor(() => (waiting.filter((one) => one.isOpen()).length === 4 ? true : undefined), {
			what: 'the oldest to be closed',
		});
		await using late = await registered(rig, machine);
		expect(late.isOpen()).toBe(true);
		for (const one of waiting) await one[Symbol.asyncDispose]();
	});
});

describe('batches of a hostile runner', () => {
	/** A line that does not fit may be of a record that was restored: the runner may come back. */
	const MAY_RETURN = new Set(['a changed line', 'a wrong head', 'an offset that leaves one out']);

	it.each<[string, (lines: ChainedLine[]) => [ChainedLine[], object]]>([
		[
			'a changed line',
			(lines) => [lines.map((one, at) => (at === 1 ? { ...one, line: one.line.replace('thing 1', 'thing 7') } : one)), {}],
		],
		['a wrong head', (lines) => [lines, { heads: ['a'.repeat(64), 'b'.repeat(64)] }]],
		['an offset that leaves one out', (lines) => [lines.map((one) => ({ ...one, offset: one.offset + 1 })), {}]],
		[
			'more places than lines',
			(lines) => [
				lines.slice(0, 2),
				{
					places: [
						[0, 1],
						[0, 2],
						[0, 3],
					],
				},
			],
		],
		['a stream that is not named', (lines) => [lines, { places: lines.map(() => [7, 1]) }]],
		['a stream that is named twice', (lines) => [lines, { streams: ['s1', 's1'] }]],
	])('are refused before anything is stored: %s', async (what, change) => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		const [lines, over] = change(await sampleLog('runner-1', OWN));
		send(runner, lines, over);
		expect((await runner.refusal()).final).toBe(!MAY_RETURN.has(what));
		expect(await lastOf(world.rig)).toBe(0);
		expect(await world.isUntouched()).toBe(true);
	});

	it('from the future are not stored: the gap is answered, and the runner goes back', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		const lines = await sampleLog('runner-1', OWN);
		send(runner, lines.slice(2));
		expect(await runner.frame('backfill.ack')).toEqual({ type: 'backfill.ack', lastSeqNo: 0, resend: true });
		expect(await lastOf(world.rig)).toBe(0);
		send(runner, lines);
		await runner.acknowledged(4);
	});

	it('with a line that was stored in another form are refused, and the stored one stays', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		send(runner, await sampleLog('runner-1', OWN));
		await runner.acknowledged(4);
		send(runner, await sampleLog('runner-1', [...OWN, 's2'], ' rewritten'));
		expect(await runner.refusal()).toMatchObject({ message: expect.stringContaining('the chain up to it has another hash') });
		const read = unwrap(await world.rig.store.logs.read(logOf('runner-1'), { afterSeqNo: 0, limit: 9 }));
		expect([read.length, read.filter(({ line }) => line.includes('rewritten')).length]).toEqual([4, 0]);
	});

	it('cannot reach the log of another runner, whatever runner their lines name', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		send(runner, await sampleLog('victim', [...OWN, 's1']));
		await runner.acknowledged(5);
		expect(await world.isUntouched()).toBe(true);
		expect([await lastOf(world.rig, 'victim'), await lastOf(world.rig)]).toEqual([4, 5]);
		const seen = await world.rig.call({ path: '/api/v1/runners/victim/sessions', headers: world.machine.headers });
		expect(seen.status).toBe(404);
	});

	it('over the limit of a frame end the connection, and the hub stays up', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		runner.sendText('x'.repeat(MOST_LINK_FRAME + 1));
		expect(await runner.closed()).toBe(1009);
		await using again = await registered(world.rig, world.machine);
		expect(again.isOpen()).toBe(true);
	});

	it('with thousands of streams are stored like others, and delay nobody', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		await using other = await registered(world.rig, world.victim);
		const names = Array.from({ length: 2_000 }, (_, at) => `s${at}`);
		const lines = await sampleLog('runner-1', names);
		for (let at = 0; at < lines.length; at += 200) {
			send(runner, lines.slice(at, at + 200));
			await runner.acknowledged(Math.min(at + 200, lines.length));
		}
		other.send({ type: 'ping' });
		await other.frame('pong');
		expect(await lastOf(world.rig)).toBe(2_000);
		expect(await world.isUntouched()).toBe(true);
	});

	it('that are no frames end the connection; frames of a later version are ignored', async () => {
		await using world = await startWorld();
		await using runner = await registered(world.rig, world.machine);
		runner.sendText('{"type":"from.the.future"}');
		runner.send({ type: 'ping' });
		await runner.frame('pong');
		runner.sendText('{"type":"event","first":-1}');
		expect((await runner.refusal()).message).toBe('A frame is damaged, or has another form.');
	});

	it('settle no command and no request of another runner', async () => {
		await using world = await startWorld({ limits: { waitMs: 50 } });
		await using runner = await registered(world.rig, world.machine);
		const { rig, victim } = world;
		const path = '/api/v1/runners/victim/sessions/s1/interrupt';
		expect((await rig.post(path, { commandId: 'c1' }, victim.headers)).status).toBe(202);
		runner.send({ type: 'command.receipt', commandId: 'c1', outcome: { ok: true, value: {} } });
		runner.send({ type: 'reply', id: 'any', outcome: { ok: true, value: {} } });
		await runner.frame('receipt.ack');
		expect(unwrap(await rig.store.commands.pending([victim.id])).map(({ id }) => id)).toEqual(['c1']);
	});
});

describe('silence', () => {
	it('ends a connection after two intervals, and the runner is offline', async () => {
		await using world = await startWorld({ limits: { heartbeatMs: 50 } });
		await using frozen = await registered(world.rig, world.machine);
		await frozen.frame('ping');
		await frozen.closed();
		const list = async () => JSON.parse((await world.rig.call({ path: '/api/v1/runners' })).body);
		const isOffline = async () => (await list()).every(({ online }: { online: boolean }) => !online);
		await waitFor(async () => ((await isOffline()) ? true : undefined), { what: 'the runner to be offline' });
	});
});

describe('the log of a hub', () => {
	it('has no code, bearer, token or key, also of refused runners and wrong credentials', async () => {
		await using world = await startWorld();
		const { rig, machine, victim } = world;
		const code = await rig.invite();
		await rig.call({ path: `/api/v1/runners?code=${code}`, headers: { authorization: `Bearer ${code}` } });
		await using runner = await connectRaw(rig, machine);
		await runner.register({ runnerId: victim.id });
		await runner.refusal();
		const text = rig.logged.join('\n');
		expect(text).toContain('refused a runner');
		for (const { joined, runner: key, device } of [machine, victim]) {
			for (const secret of [joined.login.bearer, key.privateKey, device.privateKey, code]) expect(text).not.toContain(secret);
		}
	});
});
