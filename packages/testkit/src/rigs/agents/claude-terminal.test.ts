import { describe, expect, it } from 'vitest';
import { createGate } from '../../fakes/gate.ts';
import { callTool, message, say } from '../../fakes/model-reply.ts';
import { scriptTurns } from '../../fakes/script.ts';
import { findProcessesWithEnv } from '../live-processes.ts';
import { cannotRun, claude, program } from '../requirements.ts';
import { createTmuxRig } from '../terminal/tmux-rig.ts';
import { openClaudeRig } from './claude-rig.ts';
import { openClaudeTerminal } from './claude-terminal.ts';

describe.skipIf(cannotRun([claude(), program('git'), program('tmux')]))('claude in a terminal', () => {
	it('is busy after a typed prompt, shows the answer, and is idle again', async () => {
		const gate = createGate();
		await using rig = await openClaudeRig({ script: scriptTurns(message([say('The answer ', 'is 42.')], { pace: { gate } })) });
		await using tmux = await createTmuxRig();
		const user = await openClaudeTerminal(rig, tmux);
		await user.prompt('what is the answer; $(really)?');
		await user.waitForStatus('busy');
		gate.open();
		await user.terminal.waitForScreen(/The answer is 42\./, 60_000);
		await user.waitForStatus('idle');
		expect(rig.requests.map(({ lastUserText }) => lastUserText)).toEqual(['what is the answer; $(really)?']);
	});

	it('waits at the permission dialog and continues when the user approves', async () => {
		const script = scriptTurns([callTool('Bash', { command: 'touch made' })], [say('Made it.')]);
		await using rig = await openClaudeRig({ script });
		await using tmux = await createTmuxRig();
		const user = await openClaudeTerminal(rig, tmux);
		await user.prompt('make a file');
		expect(await user.waitForStatus('waiting')).toMatchObject({ waitingFor: 'permission prompt' });
		await user.terminal.waitForScreen(/❯ 1\. Yes/, 60_000);
		await user.answerDialog('Enter');
		await user.terminal.waitForScreen(/Made it\./, 60_000);
		expect(rig.requests[1]?.toolResults).toMatchObject([{ isError: false }]);
	});

	it('leaves no process behind', async () => {
		const rig = await openClaudeRig({ script: scriptTurns() });
		const tmux = await createTmuxRig();
		const user = await openClaudeTerminal(rig, tmux);
		expect(await findProcessesWithEnv(rig.configDir)).toContain(user.terminal.pid);
		await tmux[Symbol.asyncDispose]();
		expect(await findProcessesWithEnv(rig.configDir)).toEqual([]);
		await rig[Symbol.asyncDispose]();
	});
});
