// `roost run` with the real Claude, as a script or a CI job uses it: words on standard output, how it went as the exit code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storedLine } from '@roost/protocol/stored-line';
import { apiError, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { type DrivenClaude, openDrivenClaude } from '@roost/testkit/rigs/driven-claude';
import { type Exit, startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/roost-cli';
import { expect, it } from 'vitest';

it('runs Claude for a script: its words, the feed as JSON lines, and an exit code for each way it can end', async () => {
	await using rig = await openDrivenClaude({
		script: ({ lastUserText, toolResults }) => {
			if (lastUserText === 'fail') return apiError(400, 'invalid_request_error', 'I will not');
			if (lastUserText === 'hello') return message([say('Hello, ', 'you.')]);
			if (toolResults.length > 0) return message([say('I leave it.')]);
			return message([callTool('Bash', { command: 'touch made', description: 'make a file' })]);
		},
	});
	const [plain, lines, denied, refused, failed] = await Promise.all([
		roost(rig, 'run', 'hello'),
		roost(rig, 'run', '--json', 'hello'),
		roost(rig, 'run', '--on-ask', 'deny', 'make it'),
		roost(rig, 'run', '--on-ask', 'fail', 'make it'),
		roost(rig, 'run', 'fail'),
	]);
	expect(plain).toMatchObject({ code: 0, stdout: 'Hello, you.\n' });
	const events = lines.stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => storedLine.parse(JSON.parse(line)).event);
	expect(lines.code).toBe(0);
	expect(events.map(({ kind }) => kind)).toEqual(
		expect.arrayContaining(['session.start', 'user.prompt', 'agent.message', 'run.end']),
	);
	expect(denied).toMatchObject({ code: 0, stdout: 'I leave it.\n' });
	expect(refused.code).toBe(5);
	expect(failed).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('I will not') });
	expect(existsSync(join(rig.claude.project, 'made'))).toBe(false);
}, 60_000);

async function roost({ claude, env }: DrivenClaude, ...args: string[]): Promise<Exit> {
	await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
	return await program.waitForExit(60_000);
}
