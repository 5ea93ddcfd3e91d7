// One request, answered at once by two devices through the hub and on the machine: one effect, and the others learn who was first.
// One command id, sent by many callers: one fact.

import { connectThroughHub } from '@roost/cli/hub/connect-hub';
import type { Connected } from '@roost/cli/transport/connected';
import { openKeyring } from '@roost/home/hub/keyring';
import { readCliDevice } from '@roost/home/hub/pairing';
import type { AskRow } from '@roost/protocol/ask';
import { storedLine } from '@roost/protocol/stored-line';
import { describe, expect, it } from 'vitest';
import { succeeded } from '../rigs/hub/hub-process.ts';
import { countRenames, type HubWorld, openHubWorld } from '../rigs/hub/hub-world.ts';
import { askToUse, type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { type Seeded, seededChoices } from '../rigs/seeded.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { pause, waitFor } from '../rigs/wait-for.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const RACES = SOAK ? 200 : 10;
const IDS = SOAK ? 50 : 3;
const CALLERS = 3;
const TIMES = 5;

type Verdict = 'allow' | 'deny';
type Racer = { name: string; verdict: Verdict; answer(): ReturnType<Connected['api']['asks']['approve']> };

describe('callers at a hub and at the machine', { timeout: 1_200_000 }, () => {
	it('that answer one request at once have one effect, and those who lose get a conflict with the winner', async () => {
		const random = seededChoices('hub races', SOAK ? Date.now() % 1_000_000 : 5);
		await using world = await openHubWorld();
		await using phone = await startRunnerProcess();
		await world.hub.pair(phone, 'phone');
		trust(phone, world.runner);
		const own = await reach(world, world.runner.env);
		const other = await reach(world, phone.env);
		const winners = new Map<string, number>();
		for (let race = 0; race < RACES; race += 1) {
			const { ask, decided } = await openAsk(world, own, race);
			const racers = [through('laptop', own, ask, random), through('phone', other, ask, random), here(world, ask, random)];
			const answers = await Promise.all(
				racers.map(async (racer) => {
					await pause(random.below(8));
					return { racer, answer: await racer.answer() };
				}),
			);
			const won = answers.filter(({ answer }) => answer.ok);
			expect(won.map(({ racer }) => racer.name)).toHaveLength(1);
			const winner = won[0]?.racer ?? expect.fail('nobody won');
			winners.set(winner.name, (winners.get(winner.name) ?? 0) + 1);
			for (const { answer } of answers) {
				if (answer.ok) continue;
				expect(answer.error.code).toBe('conflict');
				expect(answer.winner).toMatchObject({ state: winner.verdict === 'allow' ? 'allowed' : 'denied' });
			}
			expect((await decided).behavior).toBe(winner.verdict);
		}
		const lines = await world.agree();
		const decisions = lines.flatMap((line) => {
			const { event } = storedLine.parse(JSON.parse(line));
			return event.kind === 'permission.decision' ? [event.data.ask_id] : [];
		});
		expect(decisions).toHaveLength(RACES);
		expect(new Set(decisions).size).toBe(RACES);
		expect(succeeded(await world.runner.roost('verify'))).toContain('intact');
		process.stdout.write(`hub races: ${RACES}, won by ${JSON.stringify([...winners])}\n`);
	});

	it('that send one command with the same id get the same result and leave one fact; other words are a conflict', async () => {
		await using world = await openHubWorld();
		const callers = await Promise.all(Array.from({ length: CALLERS }, () => reach(world, world.runner.env)));
		for (let at = 0; at < IDS; at += 1) {
			const command = { commandId: `same-${at}`, id: world.session, title: `Title ${at}` };
			const calls = callers.flatMap(({ api }) => Array.from({ length: TIMES }, () => api.sessions.rename(command)));
			for (const result of await Promise.all(calls)) expect(unwrap(result)).toEqual({ sessionId: world.session });
			const differing = await callers[0]?.api.sessions.rename({ ...command, title: 'Another' });
			expect(differing && unwrapError(differing).code).toBe('conflict');
		}
		const counts = countRenames(await world.agree());
		expect([...counts]).toEqual(Array.from({ length: IDS }, (_, at) => [`Title ${at}`, 1]));
	});
});

/** As `roost devices trust` on the machine. */
function trust(phone: RunnerProcess, laptop: RunnerProcess): void {
	const device = unwrap(readCliDevice({ data: phone.home })) ?? expect.fail('the phone has no device');
	const { id, name, user, key } = device;
	const entry = { id, name, user, publicKey: key.publicKey, kind: 'program' as const, addedAt: 1, addedBy: 'test@cli' };
	unwrap(openKeyring({ data: laptop.home }).add({ ...entry, classes: ['stop', 'operate', 'approve', 'own'] }));
}

async function reach({ hub }: HubWorld, env: Record<string, string>): Promise<Connected> {
	return unwrap(await connectThroughHub({ hub: hub.url, runner: 'laptop' }, 'cli', env));
}

/** Known at the hub. */
async function openAsk({ agent }: HubWorld, { api }: Connected, race: number) {
	const command = `make ${race}`;
	const decided = askToUse(agent, 'Bash', { command });
	const find = async () => unwrap(await api.asks.list()).find(({ input }) => input.command === command);
	return { ask: await waitFor(find, { what: 'the request at the hub' }), decided };
}

function through(name: string, { api, toShown }: Connected, ask: AskRow, random: Seeded): Racer {
	const verdict = random.pick<Verdict>(['allow', 'deny']);
	const answer = async () => {
		const { id: askId, sessionId: id, nonce } = ask;
		return await api.asks.approve({ id, askId, nonce, decision: verdict, shown: await toShown?.(ask) });
	};
	return { name, verdict, answer };
}

function here({ runner }: HubWorld, { id: askId, sessionId: id, nonce }: AskRow, random: Seeded): Racer {
	const verdict = random.pick<Verdict>(['allow', 'deny']);
	return { name: 'machine', verdict, answer: () => runner.api.asks.approve({ id, askId, nonce, decision: verdict }) };
}
