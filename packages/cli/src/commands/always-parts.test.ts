// The rules that "always" creates for a line of several commands, with a real claude.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

it('adds a rule for each uncovered part of the command, so the next one like it is not asked', async () => {
	const touch = (file: string) => [callTool('Bash', { command: `touch ${file} && echo made` })];
	await using claude = await openClaudeRig({
		script: scriptTurns(touch('a.txt'), [say('Over.')], touch('b.txt'), [say('Over.')]),
	});
	const env = claude.roostEnv;
	const roost = async (...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
		return await program.waitForExit(60_000);
	};
	await roost('rules', 'add', 'allow', 'Bash', '--pattern', 'touch *');
	await using running = await startProgram(roostArgv('claude', '-p', 'x'), { cwd: claude.project, env });
	const ask = await waitFor(async () => JSON.parse((await roost('asks', '--json')).stdout)[0], {
		what: 'the ask',
		seen: () => running.output(),
	});
	expect(ask.reason).toBe('no rule covers "echo made"');
	const allowed = await roost('allow', ask.id, '--always', 'project', '--for', '8h');
	expect(allowed.stdout).toMatch(
		/^allowed: .*touch a\.txt && echo made.*\nRule \S+: allow Bash echo \* project \S+, expires in 8h\n$/,
	);
	expect(await running.waitForExit(60_000)).toMatchObject({ code: 0 });

	expect(await roost('claude', '-p', 'again')).toMatchObject({ code: 0 });
	expect(existsSync(join(claude.project, 'b.txt'))).toBe(true);
	const rules: { id: string }[] = JSON.parse((await roost('rules', '--json')).stdout);
	const sessions: { id: string; title: string }[] = JSON.parse((await roost('sessions', '--json')).stdout);
	const again = sessions.find(({ title }) => title === 'again')?.id ?? '';
	const decisions = (await roost('feed', again, '--kind', 'permission.decision', '--json')).stdout.trim().split('\n');
	expect(decisions.map((line) => JSON.parse(line).event.data)).toMatchObject([{ rule_ids: rules.map(({ id }) => id) }]);
	expect((await roost('feed', again)).stdout).toContain('by rules ');
	expect(await roost('verify')).toMatchObject({ code: 0 });
	await roost('down');
});
