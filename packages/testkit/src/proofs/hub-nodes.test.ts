// Two nodes of a hub over Postgres and NATS, under load, while each of the four, and the runner, is killed or frozen.
import { describe, expect, it } from 'vitest';
import { countRenames } from '../rigs/hub/hub-world.ts';
import { natsServer } from '../rigs/hub/nats.ts';
import { postgres } from '../rigs/hub/postgres.ts';
import { openTwoNodeWorld, type TwoNodeWorld } from '../rigs/hub/two-node-world.ts';
import { cannotRun } from '../rigs/requirements.ts';
import { type Seeded, seededChoices } from '../rigs/seeded.ts';
import { pause, waitFor } from '../rigs/wait-for.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const ROUNDS = SOAK ? 10 : 1;
const LONGEST_FREEZE_MS = SOAK ? 3_000 : 700;

const FAULTS = [
	'kill Postgres',
	'freeze Postgres',
	'kill NATS',
	'freeze the serving node',
	'kill a node',
	'kill the runner',
] as const;
type Fault = (typeof FAULTS)[number];

describe.skipIf(cannotRun([postgres(), natsServer()]))('two nodes of a hub', { timeout: ROUNDS * 240_000 }, () => {
	it('lose, double and reorder nothing, and run every command once, whatever of it is killed or frozen', async () => {
		const random = seededChoices('hub nodes', SOAK ? Date.now() % 1_000_000 : 3);
		await using nodes = await openTwoNodeWorld(random);
		const { world } = nodes;
		const load = world.load();
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const fault of FAULTS) {
				await pause(random.below(500));
				await inflict(nodes, fault, random);
			}
		}
		const titles = await load.stop();
		const lines = await world.agree();
		const counts = countRenames(lines);
		expect(titles.filter((title) => counts.get(title) !== 1)).toEqual([]);
		expect(counts.size).toBe(titles.length);
		expect(titles.length).toBeGreaterThan(0);
		process.stdout.write(`hub nodes: ${ROUNDS} rounds, ${lines.length} lines, ${titles.length} commands\n`);
	});

	it('work without NATS from their start, by reading the database, and with it when it comes', async () => {
		const random = seededChoices('hub nodes without NATS', 4);
		await using nodes = await openTwoNodeWorld(random, { natsIsAbsent: true });
		const { world, servers } = nodes;
		await world.rename('without', 'Without NATS');
		await world.agree();
		await servers.nats.start();
		await world.rename('with', 'With NATS');
		expect([...countRenames(await world.agree())]).toEqual([
			['Without NATS', 1],
			['With NATS', 1],
		]);
	});
});

async function inflict({ servers, nodes, move, world }: TwoNodeWorld, fault: Fault, random: Seeded): Promise<void> {
	const freezeMs = 200 + random.below(LONGEST_FREEZE_MS - 200);
	if (fault === 'kill Postgres') {
		const before = world.own().length;
		await servers.postgres.kill();
		await pause(random.below(300));
		await servers.postgres.start();
		await waitFor(async () => ((await world.atHub()).length > before ? true : undefined), {
			what: 'the first commit after Postgres is up',
		});
	} else if (fault === 'freeze Postgres') {
		const thaw = servers.postgres.freeze();
		await pause(freezeMs);
		thaw();
	} else if (fault === 'kill NATS') {
		await servers.nats.kill();
		await pause(random.below(300));
		await servers.nats.start();
	} else if (fault === 'freeze the serving node') {
		const node = nodes[random.below(2)] ?? nodes[0];
		node.program.signal('SIGSTOP');
		// The other one serves the runner when this one wakes up.
		move();
		await pause(freezeMs);
		node.program.signal('SIGCONT');
	} else if (fault === 'kill a node') {
		const node = nodes[random.below(2)] ?? nodes[0];
		await node.kill();
		move();
		await node.restart();
	} else {
		await world.runner.kill();
		await world.runner.restart();
	}
}
