// Claude's row of the matrix.
import { claudeWords, openClaudeAgentRig } from '@roost/testkit/rigs/claude-agent-rig';
import { findClaudeBinary } from '@roost/testkit/rigs/claude-binary';
import { startProgram } from '@roost/testkit/rigs/program';
import { claude } from '@roost/testkit/rigs/requirements';
import { proveDeployment } from '../conformance/prove-deployment.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { claudeCanary } from './canary.ts';
import { createClaudeRuntime } from './claude-runtime.ts';

export const claudeStage: AgentStage = {
	id: 'claude',
	title: 'Claude Code',
	requirement: claude(),
	async version() {
		await using asked = await startProgram([...program(), '--version'], { cwd: process.cwd(), env: {} });
		const { stdout } = await asked.waitForExit(20_000);
		return stdout.trim().split(' ')[0] ?? '';
	},
	open: openClaudeAgentRig,
	words: claudeWords,
	program,
	unknownLine: JSON.stringify({ type: 'message_of_tomorrow', text: UNKNOWN_WORD }),
	canary: (rig) => proveDeployment(rig, { runtime: createClaudeRuntime(), canary: claudeCanary, program: program() }),
};

function program(): readonly [string] {
	const found = findClaudeBinary();
	if (!found.found) throw new Error(found.whatToDo);
	return [found.path];
}
