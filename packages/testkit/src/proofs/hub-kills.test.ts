// Kills and freezes of a real hub and of a real runner under load: the record, the hub's copy and what a face saw are the same bytes,
// and every command has one fact.
import { describe, expect, it } from 'vitest';
import { succeeded } from '../rigs/hub/hub-process.ts';
import { countRenames, type HubWorld, openHubWorld } from '../rigs/hub/hub-world.ts';
import { type Seeded, seededChoices } from '../rigs/seeded.ts';
import { pause } from '../rigs/wait-for.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const ROUNDS = SOAK ? 25 : 2;
const LONGEST_FREEZE_MS = SOAK ? 3_000 : 600;

type Fault = 'kill the hub' | 'kill the runner' | 'freeze the hub' | 'freeze the runner';
const FAULTS: readonly Fault[] = ['kill the hub', 'kill the runner', 'freeze the hub', 'freeze the runner'];

describe('hub and runner under load', { timeout: ROUNDS * 120_000 }, () => {
	it('lose, double and reorder nothing, and run every command once, when either is killed or frozen', async () => {
		const random = seededChoices('hub kills', SOAK ? Date.now() % 1_000_000 : 11);
		await using world = await openHubWorld();
		const load = world.load();
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const fault of FAULTS) {
				await pause(random.below(400));
				await inflict(world, fault, random);
			}
		}
		const titles = await load.stop();
		const lines = await world.agree();
		expect(titles.length).toBeGreaterThan(0);
		const counts = countRenames(lines);
		expect(titles.filter((title) => counts.get(title) !== 1)).toEqual([]);
		expect(counts.size).toBe(titles.length);
		expect(succeeded(await world.runner.roost('verify'))).toContain('intact');
		process.stdout.write(`hub kills: ${ROUNDS} rounds, ${lines.length} lines, ${titles.length} commands\n`);
	});
});

async function inflict({ hub, runner }: HubWorld, fault: Fault, random: Seeded): Promise<void> {
	const one = fault.endsWith('hub') ? hub : runner;
	if (fault.startsWith('kill')) {
		await one.kill();
		await one.restart();
		return;
	}
	one.program.signal('SIGSTOP');
	await pause(200 + random.below(LONGEST_FREEZE_MS - 200));
	one.program.signal('SIGCONT');
}
