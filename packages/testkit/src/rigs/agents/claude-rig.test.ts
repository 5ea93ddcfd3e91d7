import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiError, callTool, hang, say } from '../../fakes/model-reply.ts';
import { scriptAgents, scriptTurns } from '../../fakes/script.ts';
import { findProcessesWithEnv, isRunning } from '../live-processes.ts';
import { cannotRun, claude, program } from '../requirements.ts';
import { waitFor } from '../wait-for.ts';
import { openClaudeRig } from './claude-rig.ts';

const manual = ['--permission-mode', 'manual'];

describe.skipIf(cannotRun([claude(), program('git')]))('claude rig', () => {
	it('runs the real claude and returns its answer', async () => {
		await using rig = await openClaudeRig({ script: scriptTurns([say('Hello from ', 'the fake.')]) });
		const exit = await rig.run(['-p', 'greet me', ...manual]);
		expect(exit).toMatchObject({ code: 0, signal: null, stdout: 'Hello from the fake.\n', stderr: '' });
		expect(rig.requests.map((request) => request.lastUserText)).toEqual(['greet me']);
	});

	it('exposes the tool result of a call that was not allowed', async () => {
		const script = scriptTurns([callTool('Bash', { command: 'touch made' }, 'toolu_touch')], [say('As you wish.')]);
		await using rig = await openClaudeRig({ script });
		const exit = await rig.run(['-p', 'make a file', ...manual]);
		expect(exit).toMatchObject({ code: 0, stdout: 'As you wish.\n' });
		expect(rig.requests[1]?.toolResults).toEqual([
			{ toolUseId: 'toolu_touch', isError: true, text: expect.stringContaining('needs approval') },
		]);
		expect(existsSync(`${rig.project}/made`)).toBe(false);
	});

	it('runs parallel tools that the settings allow, in its repository', async () => {
		const script = scriptTurns(
			[callTool('Bash', { command: 'git log --format=%s' }), callTool('Bash', { command: 'pwd' })],
			[say('Done.')],
		);
		await using rig = await openClaudeRig({ script });
		await rig.run(['-p', 'look', ...manual], { settings: { permissions: { allow: ['Bash(*)'] } } });
		const results = rig.requests[1]?.toolResults ?? [];
		// In the order in which the commands finished.
		expect(new Set(results.map(({ isError, text }) => `${isError} ${text}`))).toEqual(
			new Set(['false Start', `false ${rig.project}`]),
		);
	});

	it('distinguishes a subagent from the main agent', async () => {
		const task = { description: 'count', prompt: 'count the files', subagent_type: 'general-purpose', run_in_background: false };
		const script = scriptAgents({
			main: [[callTool('Agent', task)], [say('There are two.')]],
			subagents: { 'count the files': [[say('two files')]] },
		});
		await using rig = await openClaudeRig({ script });
		const exit = await rig.run(['-p', 'how many files?', ...manual]);
		expect(exit).toMatchObject({ code: 0, stdout: 'There are two.\n' });
		expect(rig.requests.map(({ agent }) => agent)).toEqual(['main', 'subagent', 'main']);
		expect(rig.requests[2]?.toolResults[0]?.text).toContain('two files');
	});

	it('reports an error of the model', async () => {
		await using rig = await openClaudeRig({ script: scriptTurns(apiError(529, 'overloaded_error', 'Too much to do')) });
		const exit = await rig.run(['-p', 'greet me', ...manual]);
		expect(exit).toMatchObject({ code: 1, stdout: expect.stringContaining('Too much to do') });
	});

	it('passes no variable of the caller to the child', async () => {
		const script = scriptTurns(
			[callTool('Bash', { command: 'echo "$HOME $CLAUDE_CONFIG_DIR $ROOST_TEST_SECRET."' })],
			[say('Done.')],
		);
		process.env.ROOST_TEST_SECRET = 'secret';
		await using stack = new AsyncDisposableStack();
		stack.defer(() => {
			delete process.env.ROOST_TEST_SECRET;
		});
		await using rig = await openClaudeRig({ script });
		await rig.run(['-p', 'look', ...manual], { settings: { permissions: { allow: ['Bash(*)'] } } });
		expect(rig.requests[1]?.toolResults[0]?.text).toBe(`${rig.home} ${rig.configDir} .`);
	});

	it('fails with the output on timeout, and kills the program', async () => {
		await using rig = await openClaudeRig({ script: scriptTurns(hang()) });
		await expect(rig.run(['-p', 'greet me', ...manual], { timeoutMs: 10 })).rejects.toThrow(
			/waited 10 ms for .*claude.* to exit; seen last: {"stdout":""/,
		);
		expect(await findProcessesWithEnv(rig.configDir)).toEqual([]);
	});

	it('leaves neither process nor file when disposed while claude and its command run', async () => {
		const script = scriptTurns([callTool('Bash', { command: 'touch started; sleep 600' })]);
		const rig = await openClaudeRig({ script });
		const running = await rig.spawn(['-p', 'wait', ...manual], { settings: { permissions: { allow: ['Bash(*)'] } } });
		await waitFor(() => existsSync(`${rig.project}/started`) || undefined, {
			what: 'the command',
			seen: running.output,
		});
		expect((await findProcessesWithEnv(rig.configDir)).length).toBeGreaterThan(1);
		await rig[Symbol.asyncDispose]();
		await rig[Symbol.asyncDispose]();
		expect(await isRunning(running.pid)).toBe(false);
		expect(await findProcessesWithEnv(rig.configDir)).toEqual([]);
		expect(existsSync(rig.home)).toBe(false);
	});

	it('kills the command of a claude that was killed', async () => {
		const rig = await openClaudeRig({ script: scriptTurns([callTool('Bash', { command: 'touch started; sleep 600' })]) });
		const running = await rig.spawn(['-p', 'wait', ...manual], { settings: { permissions: { allow: ['Bash(*)'] } } });
		await waitFor(() => existsSync(`${rig.project}/started`) || undefined, { what: 'the command' });
		running.signal('SIGKILL');
		await waitFor(async () => !(await isRunning(running.pid)) || undefined, { what: 'claude to be gone' });
		expect((await findProcessesWithEnv(rig.configDir)).length).toBeGreaterThan(0);
		await rig[Symbol.asyncDispose]();
		expect(await findProcessesWithEnv(rig.configDir)).toEqual([]);
	});
});
