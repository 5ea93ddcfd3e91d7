// One extra word for every command in `--help`.
import { argumentsIn, driveCli, readCommands } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

describe('excess argument', () => {
	it('is rejected by every command with a clear error', { timeout: 120_000 }, async () => {
		await using temp = await createTempDir();
		const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path };
		const drive = (runs: readonly (readonly string[])[]) => driveCli(runs, { cwd: temp.path, env });
		const commands = (await readCommands(drive))
			.map(({ words, help }) => ({
				words,
				takes: argumentsIn(help),
				required: /--tool <tool>/.test(help) ? ['--tool', 'x'] : [],
			}))
			.filter(({ takes }) => !takes.at(-1)?.endsWith('...'));
		expect(commands.length).toBeGreaterThanOrEqual(35);
		const outputs = await drive(commands.map(({ words, takes, required }) => [...words, ...required, ...takes, 'superfluous']));
		for (const [at, { words }] of commands.entries()) {
			const name = words.join(' ');
			const sentence = `error: too many arguments for "roost ${name}": it takes no 'superfluous'. Quote words that belong together.`;
			expect.soft(outputs[at], name).toMatchObject({ code: 2, stdout: '' });
			expect.soft(outputs[at]?.stderr.split('\n')[0], name).toBe(sentence);
		}
	});

	it('is rejected for a command group with a default command', async () => {
		await using temp = await createTempDir();
		const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path };
		const [rules, list, unknown] = await driveCli([['rules', 'bogus'], ['rules', 'list', 'bogus'], ['bogus']], {
			cwd: temp.path,
			env,
		});
		expect(rules).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'bogus'") });
		expect(list).toMatchObject({ code: 2, stderr: expect.stringContaining(`"roost rules list": it takes no 'bogus'`) });
		expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'bogus'") });
	});
});
