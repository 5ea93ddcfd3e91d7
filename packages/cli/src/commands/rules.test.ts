// A rule tested on recorded calls, as a user runs it: a recorded demo, and a real runner.
import { join } from 'node:path';
import { ruleHistory } from '@roost/protocol/api/rules';
import { startProgram } from '@roost/testkit/rigs/program';
import { playDemoInto } from '@roost/testkit/rigs/runner/recorded-home';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { beforeAll, describe, expect, it } from 'vitest';

describe('roost rules test --history', () => {
	let world: Awaited<ReturnType<typeof playedDemo>>;
	beforeAll(async () => {
		world = await playedDemo();
		return () => world[Symbol.asyncDispose]();
	}, 120_000);

	it('shows the past calls that a rule would match, their outcome, and the change', async () => {
		const shown = await world.history('--decision', 'deny', '--tool', 'Bash', '--pattern', 'npm *');
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		const [header, ...lines] = shown.stdout.trimEnd().split('\n');
		expect(header).toMatch(/^SESSION +WHEN +THEN +WITH THE RULE +TOOL +CALL$/);
		const call = new RegExp(
			`^${world.id} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +allowed by rule demo-tests +denied +Bash +npm test$`,
		);
		expect(lines.slice(0, 2)).toEqual([expect.stringMatching(call), expect.stringMatching(call)]);
		expect(lines.at(-1)).toMatch(/^It matches 2 calls, and would change 2 of them\. Looked at \d+ calls: the whole record\.$/);
	});

	it('reports when a rule would change nothing', async () => {
		const shown = await world.history('--decision', 'allow', '--tool', 'Read');
		expect(shown.stdout).toMatch(/not asked +left to the agent, as without it +Read +src\/health\.ts/);
		expect(shown.stdout).toContain('would change none of them');
	});

	it('examines only as many calls as --calls allows', async () => {
		const shown = await world.history('--decision', 'deny', '--tool', 'Nothing', '--calls', '2');
		expect(shown.stdout).toMatch(/^No call matches\. Looked at 2 calls: the newest, back to .*\.\n$/);
	});

	it('covers only the project unless another scope is given', async () => {
		const elsewhere = await world.roostIn(
			join(world.path, '..'),
			'rules',
			'test',
			'--history',
			'--decision',
			'deny',
			'--tool',
			'*',
		);
		expect(elsewhere.stdout).toBe('No calls are on record where this rule would apply.\n');
		const user = await world.history(
			'--decision',
			'deny',
			'--tool',
			'Bash',
			'--scope',
			'session',
			'--session',
			world.id,
			'--json',
		);
		expect(ruleHistory.parse(JSON.parse(user.stdout)).matches).toHaveLength(4);
	});

	it('prints the same as JSON, and adds no rule', async () => {
		const before = await world.roost('rules', '--json');
		const shown = await world.history('--decision', 'deny', '--tool', 'Bash', '--pattern', 'git push *', '--json');
		expect(ruleHistory.parse(JSON.parse(shown.stdout))).toMatchObject({
			looked: { complete: true },
			matches: [
				{
					sessionId: world.id,
					argument: 'git push -u origin fix/health-check',
					became: { outcome: 'allowed', by: 'rule demo-push' },
					withRule: { decision: 'deny', reason: 'Denied by rule new (Bash git push *)' },
				},
				{ argument: 'git push --force origin main', became: { outcome: 'denied', by: 'rule demo-no-force' }, changed: false },
			],
		});
		expect(await world.roost('rules', '--json')).toEqual(before);
	});

	it.each([
		[['--history', '--tool', 'Bash'], '--history needs a --decision'],
		[['--history', '--tool', 'Bash', '--decision', 'maybe'], 'allow, deny or ask'],
		[['--history', '--tool', 'Bash', '--decision', 'deny', '--input', '{}'], 'leave out --input'],
		[['--history', '--tool', 'Bash', '--decision', 'deny', '--calls', '0'], '--calls takes a whole number from 1 to 5000'],
		[['--history', '--tool', 'Bash', '--decision', 'deny', '--scope', 'world'], '--scope takes'],
		[['--history', '--decision', 'deny'], "required option '--tool <tool>'"],
		[['--tool', 'Bash'], '--input with the input of a call, or --history'],
	] as const)('%j exits with code 2 and a clear message', async (args, sentence) => {
		expect(await world.roost('rules', 'test', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
	});
});

async function playedDemo() {
	const temp = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: join(temp.path, 'roost') };
	const roostIn = async (cwd: string, ...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd, env });
		return await program.waitForExit(60_000);
	};
	const roost = (...args: string[]) => roostIn(temp.path, ...args);
	return {
		path: temp.path,
		id: await playDemoInto(env, temp.path),
		roost,
		roostIn,
		history: (...args: string[]) => roost('rules', 'test', '--history', ...args),
		async [Symbol.asyncDispose]() {
			await roost('down', '--force');
			await temp[Symbol.asyncDispose]();
		},
	};
}
