// kill -9 of a real runner between the effect of a hub's command and its receipt: the hub delivers it again, and nothing happens twice.
import { join } from 'node:path';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { pairWith } from '../rigs/hub/pair-with.ts';
import { startScriptedHub } from '../rigs/hub/scripted-hub.ts';
import { type CommandFrame, createSigningDevice } from '../rigs/hub/signing-device.ts';
import { readStored } from '../rigs/runner/engine-rig.ts';
import { askToUse, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 30 : 2;
const TIMEOUT = { timeout: ROUNDS * 60_000 };

describe('command of a hub whose runner is killed after its effect', () => {
	it('renames a session once, and each delivery gets the same outcome', TIMEOUT, async () => {
		await using world = await openWorld();
		const ask = await world.ask('make all');
		const id = ask.sessionId;
		for (let round = 0; round < ROUNDS; round += 1) {
			const command = await world.device.command(world.runner, 'sessions.rename', { id, title: `Title ${round}` });
			const isDone = () =>
				world.facts(id).some((fact) => fact.kind === 'session.renamed' && fact.data.title === `Title ${round}`);
			const outcomes = await world.killOnce(command, isDone);
			for (const outcome of outcomes) expect(outcome).toEqual({ ok: true, value: { sessionId: id } });
		}
		const titles = world.facts(id).flatMap((fact) => (fact.kind === 'session.renamed' ? [fact.data.title] : []));
		expect(titles).toEqual(Array.from({ length: ROUNDS }, (_, round) => `Title ${round}`));
	});

	it('answers an ask once, with the signature of the device, and each delivery gets the decided ask', TIMEOUT, async () => {
		await using world = await openWorld();
		for (let round = 0; round < ROUNDS; round += 1) {
			const ask = await world.ask(`make ${round}`);
			const command = await world.device.answer(world.runner, ask);
			const decisions = () =>
				world.facts(ask.sessionId).filter((fact) => fact.kind === 'permission.decision' && fact.data.ask_id === ask.id);
			const outcomes = await world.killOnce(command, () => decisions().length > 0);
			for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, value: { id: ask.id, state: 'allowed' } });
			expect(decisions()).toMatchObject([{ data: { decision_type: 'allow', signed: { command_id: command.commandId } } }]);
		}
		await world.verify();
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const home = stack.use(await createTempDir()).path;
	const hub = stack.use(await startScriptedHub());
	const device = createSigningDevice();
	device.trust(home);
	pairWith(hub, home);
	const rig = stack.use(await startRunnerProcess({ home }));
	await hub.connected();
	let agent = await rig.openLaunch({ pid: rig.waiterPid });

	/** Read from disk, independent of the runner. */
	function facts(id: SessionId): FeedEvent[] {
		const store = unwrap(openSqliteStore({ path: join(home, 'roost.db'), access: 'read' }));
		const stored = readStored(store, id).map(({ event }) => event);
		void store.close();
		return stored;
	}

	const owned = stack.move();
	return {
		runner: hub.of('runner.register')[0]?.runnerId ?? expect.fail(),
		device,
		facts,
		async ask(command: string) {
			// Its connection breaks when the runner is killed.
			void askToUse(agent, 'Bash', { command }).catch(() => undefined);
			const pending = async () => unwrap(await rig.api.asks.list()).find(({ input }) => input.command === command);
			return await waitFor(pending, { what: 'the ask' });
		},
		/** Kills the runner as soon as the effect is on disk; the hub has a receipt or not, and delivers it twice more. */
		async killOnce(command: CommandFrame, isDone: () => boolean) {
			const { commandId } = command;
			hub.send(command);
			await waitFor(() => isDone() || undefined, { everyMs: 1, what: 'the effect' });
			await rig.kill();
			const before = hub.of('command.receipt').filter((receipt) => receipt.commandId === commandId).length;
			const registered = hub.of('runner.register').length;
			await rig.restart();
			await hub.connected(registered + 1);
			for (let time = 0; time < 2; time += 1) hub.send(command);
			await hub.receipt(commandId, before + 2);
			agent = await rig.openLaunch({ pid: rig.waiterPid });
			return hub.of('command.receipt').flatMap((receipt) => (receipt.commandId === commandId ? [receipt.outcome] : []));
		},
		async verify() {
			expect(await rig.roost('verify')).toMatchObject({ code: 0 });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
