// Codex' row of the matrix.
import { agentProgram, agentProgramVersion, needProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { proveDeployment } from '../conformance/prove-deployment.contract.ts';
import { launched } from '../conformance/prove-observed.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { codexCanary } from './canary.ts';
import { createCodexAdapter } from './codex-adapter.ts';
import { CODEX_LAUNCH } from './launch.ts';
import { createCodexAgent } from './live/codex-setup.ts';
import { CODEX_HOOK_PROTOCOL } from './observed-hooks.ts';

export const codexStage: AgentStage = {
	id: 'codex',
	title: 'Codex',
	requirement: agentProgram('codex'),
	version: async () => agentProgramVersion('codex'),
	async open({ program, ...options }) {
		const rig = await openCodexRig(options);
		return program === undefined ? rig : { ...rig, agent: createCodexAgent({ ...rig.deps, command: [program] }) };
	},
	words: codexWords,
	program: () => [needProgram('codex')],
	unknownLine: JSON.stringify({ method: 'thread/tomorrow', params: { text: UNKNOWN_WORD } }),
	observed: {
		protocol: CODEX_HOOK_PROTOCOL,
		toArgv: launched(CODEX_LAUNCH, (prompt) => ['exec', '--skip-git-repo-check', '--sandbox=workspace-write', '--', prompt]),
	},
	canary: (rig) => proveDeployment(rig, { adapter: createCodexAdapter(), canary: codexCanary, program: [needProgram('codex')] }),
};
