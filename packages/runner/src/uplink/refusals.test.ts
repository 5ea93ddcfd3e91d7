import type { Fact } from '@roost/core/feed/mapper';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { describe, expect, it } from 'vitest';
import { createRefusals } from './refusals.ts';

const HOUR = 60 * 60 * 1_000;
const call = { operation: 'asks.approve', by: { name: 'lea\u001b[2J', face: 'web' } };

describe('refused commands', () => {
	it('are facts, once for each repeat, with only printable text of the hub', async () => {
		const world = openWorld();
		for (let time = 0; time < 3; time += 1) await world.refuse('c1');
		await world.refuse('c2');
		expect(world.facts).toEqual([
			expect.stringMatching(/^Refused "asks.approve" \(c1\), which the hub sent for lea[ -~]*@web: It is not signed\.$/),
			expect.stringContaining('(c2)'),
		]);
	});

	it('cannot fill the disk: after a limit they are in the log, until the next hour', async () => {
		const world = openWorld();
		for (let at = 0; at < 300; at += 1) await world.refuse(`c${at}`);
		expect(world.facts).toHaveLength(200);
		expect(world.facts.at(-1)).toContain('further ones of this hour are in the log only');
		expect(world.warnings).toHaveLength(101);
		world.pass(HOUR);
		await world.refuse('later');
		expect(world.facts).toHaveLength(201);
	});

	it('are in the log where the record cannot be written', async () => {
		const world = openWorld({ isBroken: true });
		await world.refuse('c1');
		expect(world.warnings).toEqual([expect.stringMatching(/It is not signed\. This could not be recorded: The disk is full\.$/)]);
	});
});

function openWorld({ isBroken = false } = {}) {
	const facts: string[] = [];
	const warnings: string[] = [];
	let now = 0;
	const refusals = createRefusals({
		own: {
			async record(fact: Fact) {
				if (isBroken) return err(new AppError('store_unavailable', 'The disk is full.'));
				if (fact.kind === 'runtime.error') facts.push(fact.data.message);
				return ok(undefined);
			},
		},
		now: () => now,
		warn: (sentence) => void warnings.push(sentence),
	});
	return {
		facts,
		warnings,
		refuse: (id: string) => refusals.record({ id, call, why: 'It is not signed.' }),
		pass(ms: number) {
			now += ms;
		},
	};
}
