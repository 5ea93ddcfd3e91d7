// Random schedules of a hub: the correct one never breaks a rule, and every planted bug is found.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUGS, type Bug } from './bugs.ts';
import { ACTIONS, simulate } from './simulate.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const RUNS = SOAK ? 50_000 : 1_000;
/** Enough for each planted bug. */
const MOST_RUNS = 40_000;
const SEED = Number(process.env.ROOST_SEED ?? (SOAK ? Date.now() % 1_000_000 : 23));

const given = [fc.scheduler(), fc.array(fc.constantFrom(...ACTIONS), { minLength: 5, maxLength: 25 }), fc.nat()] as const;

function propertyOf(bug?: Bug) {
	return fc.asyncProperty(...given, async (scheduler, actions, seed) => {
		const { violations } = await simulate(scheduler, actions, seed, bug);
		expect(violations).toEqual([]);
	});
}

describe('simulated hub', { timeout: 3_600_000 }, () => {
	it('breaks no rule, whatever is killed, cut, lost or restored', async () => {
		const started = performance.now();
		await fc.assert(propertyOf(), { numRuns: RUNS, seed: SEED });
		const perMinute = Math.round((RUNS / (performance.now() - started)) * 60_000);
		process.stdout.write(`hub simulation: ROOST_SEED=${SEED}, ${RUNS} schedules, ${perMinute} per minute\n`);
	});

	it('does the same again with the same seed', async () => {
		const traces: string[][] = [];
		for (let time = 0; time < 2; time += 1) {
			const property = fc.asyncProperty(...given, async (scheduler, actions, seed) => {
				traces.push((await simulate(scheduler, actions, seed)).trace);
			});
			await fc.assert(property, { numRuns: 10, seed: SEED });
		}
		expect(traces.slice(10)).toEqual(traces.slice(0, 10));
		expect(traces[0]?.length).toBeGreaterThan(0);
	});

	it.each(BUGS)('finds a planted bug: %s', async (bug) => {
		const checked = await fc.check(propertyOf(bug), { numRuns: MOST_RUNS, seed: SEED, endOnFailure: true });
		process.stdout.write(`hub simulation: "${bug}" is found by schedule ${checked.numRuns}\n`);
		expect(checked.failed).toBe(true);
	});
});
