// The real claude under `roost --enforce`: nothing that a repository, the user's settings or a flag says lets it act without a decision.

import { ALL_AT_ONCE, CHANGED_AFTER_APPROVAL, CLAUDE_ATTACKS } from '@roost/testkit/corpora/claude-attacks';
import { openAttackedClaude } from '@roost/testkit/rigs/agents/attacked-claude';
import { describe, expect, it } from 'vitest';

const SOAK = process.env.ROOST_SOAK === '1';

describe('an enforced claude', () => {
	it('runs nothing that settings, hooks, skills, agents, servers and flags allow all at once, and every refusal is on record', async () => {
		await using world = await openAttackedClaude(ALL_AT_ONCE, { trusted: false });
		const exit = await world.attack('--enforce');
		expect(exit.stdout).toContain('Over.');
		expect(await world.ran()).toEqual([]);
		expect(exit.stderr).toContain('.claude/settings.json has hooks for');
		const asked = (await world.facts('permission.request')).map(({ data }) => data);
		expect(asked).toMatchObject(['Bash', 'Write', 'Bash', 'Bash'].map((tool_name) => ({ tool_name })));
		const decided = (await world.facts('permission.decision')).map(({ data }) => data);
		expect(decided).toMatchObject(asked.map(() => ({ decision_type: 'deny', decided_by: 'timeout' })));
		const listed = (await world.facts('notification')).map(({ data }) => data);
		const inSettings = {
			message: expect.stringMatching(/^\.claude\/settings\.json: .*hooks/),
			notification_type: 'repository_settings',
		};
		expect(listed).toContainEqual(expect.objectContaining(inSettings));
	});

	it('runs what a rule allows exactly as it was allowed, once on record, whatever another hook makes of it', async () => {
		await using world = await openAttackedClaude(CHANGED_AFTER_APPROVAL);
		await world.roost('rules', 'add', 'allow', 'Bash', '--pattern', 'touch */seen', '--scope', 'user');
		await world.roost('rules', 'add', 'allow', 'mcp__evil__peek', '--scope', 'user');
		const exit = await world.attack('--enforce');
		expect(exit.stdout).toContain('Over.');
		expect(await world.ran()).toEqual(['mcp-tool', 'seen']);
		expect(exit.stderr).toContain('PreToolUse and PermissionRequest hooks of your settings have no effect');
		expect((await world.facts('permission.decision')).map(({ data }) => data)).toMatchObject([
			{ decision_type: 'allow', decided_by: 'rule' },
			{ decision_type: 'allow', decided_by: 'rule' },
		]);
		expect(await world.facts('permission.request')).toHaveLength(2);
		expect(JSON.stringify(world.claude.requests[0])).toContain('RULES OF THE HOUSE');
	});

	it.each(CLAUDE_ATTACKS.flatMap(({ refused, ...attack }) => (refused ? [{ ...attack, refused }] : [])).slice(0, SOAK ? 9 : 1))(
		'is not started with $name',
		async ({ refused, ...attack }) => {
			await using world = await openAttackedClaude(attack);
			expect(await world.attack('--enforce')).toMatchObject({ code: 2, stderr: expect.stringContaining(refused) });
		},
	);
});

/** Each alone, in a folder that Claude trusts and in one that it does not; about ten minutes. */
if (SOAK)
	describe('an enforced claude, attacked in one way at a time', () => {
		it.each(CLAUDE_ATTACKS.flatMap((attack) => [true, false].map((trusted) => ({ ...attack, trusted }))))(
			'runs nothing by $name (trusted folder: $trusted)',
			async ({ trusted, ...attack }) => {
				await using world = await openAttackedClaude(attack, { trusted });
				const exit = await world.attack('--enforce');
				expect(await world.ran()).toEqual([]);
				if (!attack.refused) expect(exit.stdout).toContain('Over.');
			},
		);

		it.each(CLAUDE_ATTACKS.filter(({ works }) => works !== false))('is attacked for real by $name', async (attack) => {
			await using world = await openAttackedClaude(attack);
			await world.attack();
			expect(await world.ran()).not.toEqual([]);
		});
	});
