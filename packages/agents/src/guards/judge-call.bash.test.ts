// Real bash runs what an agent that builds is allowed: nothing beside its worktree may change, and nothing is pushed.
import { WORKTREE_LINES, WORKTREE_PATHS } from '@roost/testkit/corpora/worktree-pieces';
import { createBashWorktree } from '@roost/testkit/rigs/shell/bash-worktree';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeCall } from './judge-call.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 40_000 : 300;

it('never lets real bash change anything beside the worktree', { timeout: 3_600_000 }, async () => {
	using world = createBashWorktree();
	const def = { agentName: 'bee', capability: 'builder', worktreePath: world.path, stateDir: world.path };
	let ran = 0;
	world.reset();
	const round = async (line: string) => {
		const verdict = await judgeCall(def, { tool: 'Bash', input: { command: line }, cwd: world.path });
		if (!verdict.allowed) return;
		ran++;
		expect(world.run(line)).toBeUndefined();
		world.reset();
	};
	await fc.assert(fc.asyncProperty(worktreeLine(), round), { numRuns: ROUNDS });
	expect(ran).toBeGreaterThan(ROUNDS / 30);
	expect(world.run('ln -s ../other d; touch d/y')).toContain('other/y');
});

/** A line, with other lines and with paths in the places for them. */
function worktreeLine(): fc.Arbitrary<string> {
	const choices = fc.array(fc.nat(), { minLength: 24, maxLength: 24 });
	return choices.map((numbers) => {
		const left = [...numbers];
		const choose = (list: readonly string[]) => list[(left.shift() ?? 0) % list.length] ?? 'ls';
		const fill = (line: string, depth: number): string =>
			line
				.replaceAll(/\bL\b/g, () => (depth > 3 ? 'ls' : fill(choose(WORKTREE_LINES), depth + 1)))
				.replaceAll(/\bP\b/g, () => choose(WORKTREE_PATHS));
		return fill('L; L; L', 0);
	});
}
