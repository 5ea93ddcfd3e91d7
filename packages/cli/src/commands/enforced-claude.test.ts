// The real claude under `roost --enforce`: nothing that a repository, the user's settings or a flag says lets it act without a decision.
import { CLAUDE_ATTACKS } from '@roost/testkit/corpora/claude-attacks';
import { openAttackedClaude } from '@roost/testkit/rigs/attacked-claude';
import { describe, expect, it } from 'vitest';

const SOAK = process.env.ROOST_SOAK === '1';

describe.runIf(SOAK)('an enforced claude, attacked in one way at a time', () => {
	it.each(CLAUDE_ATTACKS.flatMap((attack) => [true, false].map((trusted) => ({ ...attack, trusted }))))(
		'runs nothing by $name (trusted folder: $trusted)',
		async ({ trusted, ...attack }) => {
			await using world = await openAttackedClaude(attack, { trusted });
			const exit = await world.attack('--enforce');
			expect(await world.ran()).toEqual([]);
			if (attack.refused) expect(exit).toMatchObject({ code: 2, stderr: expect.stringContaining(attack.refused) });
			else expect(exit.stdout).toContain('Over.');
		},
	);

	it.each(CLAUDE_ATTACKS.filter(({ works }) => works !== false))('is a real attack: $name', async (attack) => {
		await using world = await openAttackedClaude(attack);
		await world.attack();
		expect(await world.ran()).not.toEqual([]);
	});
});
