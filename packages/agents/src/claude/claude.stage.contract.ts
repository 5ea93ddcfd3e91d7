// Claude's row of the matrix.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { claudeWords, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { claude } from '@roost/testkit/rigs/requirements';
import { proveDeployment } from '../conformance/prove-deployment.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { claudeCanary } from './canary.ts';
import { createClaudeAdapter } from './claude-adapter.ts';
import { CLAUDE_HOOK_PROTOCOL } from './hooks/decision-mapper.ts';
import { buildHookSettings } from './hooks/settings.ts';
import { ASKING_MODE, readClaudeArgs, toClaudeArgv } from './launch.ts';

export const claudeStage: AgentStage = {
	id: 'claude',
	title: 'Claude Code',
	requirement: claude(),
	async version() {
		await using asked = await startProgram([...program(), '--version'], { cwd: process.cwd(), env: {} });
		const { stdout } = await asked.waitForExit(60_000);
		return stdout.trim().split(' ')[0] ?? '';
	},
	open: openClaudeRig,
	words: claudeWords,
	program,
	unknownLine: JSON.stringify({ type: 'message_of_tomorrow', text: UNKNOWN_WORD }),
	observed: {
		protocol: CLAUDE_HOOK_PROTOCOL,
		async toArgv(prompt, { dir, hooks, forwarder }) {
			const settings = join(dir, 'settings.json');
			const ours = buildHookSettings({ ...hooks, forwarder, gate: 'observe', transport: 'http', env: {} });
			await writeFile(settings, JSON.stringify(ours));
			return toClaudeArgv(readClaudeArgs(['-p', prompt]), settings, ASKING_MODE);
		},
	},
	canary: (rig) => proveDeployment(rig, { adapter: createClaudeAdapter(), canary: claudeCanary, program: program() }),
};

function program(): readonly [string] {
	return [needProgram('claude')];
}
