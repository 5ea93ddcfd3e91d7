import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { realTimers } from '@roost/machine/timers';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createClaudeProcess } from './spawn-claude.ts';

describe('configured program arguments', () => {
	it('follow the program directly, even if it is a script run by an interpreter', async () => {
		await using temp = await createTempDir();
		const script = join(temp.path, 'claude.mjs');
		await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(2)))');
		const run = async (command: string, args: string[], configured: readonly [string, ...string[]] | undefined) => {
			const { spawn } = createClaudeProcess({ timers: realTimers, command: configured });
			return JSON.parse(
				await text(spawn({ command, args, cwd: temp.path, env: {}, signal: new AbortController().signal }).stdout),
			);
		};
		const { execPath } = process;
		expect(await run(execPath, [script, '--last'], [script, 'a b', '--first'])).toEqual(['a b', '--first', '--last']);
		expect(await run(execPath, ['--last'], [execPath, script, '--first'])).toEqual(['--first', '--last']);
		expect(await run(execPath, [script, '--last'], undefined)).toEqual(['--last']);
	});
});
