// roost feed --follow as programs read it: the same bytes as without --follow.
import type { SessionId } from '@roost/protocol/ids';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { reportStory } from '@roost/testkit/rigs/runner/session-story';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('roost feed --follow --json', () => {
	it('prints stored lines unchanged, including those that arrive while it follows', { timeout: 120_000 }, async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('read it');
		const session = reportStory(roost.api, id);
		await session.until('run.end');
		await using all = await follow(roost, id);
		await using prompts = await follow(roost, id, '--kind', 'user.prompt');
		await all.has('"kind":"run.end"', 1);
		await session.say('read it');
		await all.has('"kind":"run.end"', 2);
		await prompts.has('"kind":"user.prompt"', 2);
		const stored = await print(roost, id);
		expect(all.lines()).toEqual(stored);
		expect(prompts.lines()).toEqual(await print(roost, id, '--kind', 'user.prompt'));
		expect(stored.length).toBeGreaterThan(10);
	});
});

async function print({ folder, env }: RunnerRig, id: SessionId, ...more: string[]): Promise<string[]> {
	await using program = await startProgram(roostArgv('feed', id, '--json', ...more), { cwd: folder, env });
	return (await program.waitForExit(60_000)).stdout.trimEnd().split('\n');
}

async function follow({ folder, env }: RunnerRig, id: SessionId, ...more: string[]) {
	const program = await startProgram(roostArgv('feed', id, '--follow', '--json', ...more), { cwd: folder, env });
	const lines = () => program.output().stdout.trimEnd().split('\n');
	return {
		lines,
		async has(words: string, count: number) {
			const isThere = () => (lines().filter((line) => line.includes(words)).length >= count ? true : undefined);
			await waitFor(isThere, { what: `${count} × ${words}`, seen: () => program.output() });
		},
		[Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
	};
}
