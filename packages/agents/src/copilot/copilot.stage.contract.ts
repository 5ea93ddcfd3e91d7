// Copilot's row of the matrix.
import { agentProgram, agentProgramVersion, needProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { proveDeployment } from '../conformance/prove-deployment.contract.ts';
import { launched } from '../conformance/prove-observed.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { copilotCanary } from './copilot-kind.ts';
import { COPILOT_LAUNCH } from './launch.ts';
import { COPILOT_HOOK_PROTOCOL } from './observed-hooks.ts';

export const copilotStage: AgentStage = {
	id: 'copilot',
	title: 'GitHub Copilot',
	requirement: agentProgram('copilot'),
	version: async () => agentProgramVersion('copilot'),
	open: openCopilotRig,
	words: copilotWords,
	program: () => [needProgram('copilot')],
	unknownLine: JSON.stringify({ jsonrpc: '2.0', method: 'tomorrow', params: { text: UNKNOWN_WORD } }),
	observed: {
		protocol: COPILOT_HOOK_PROTOCOL,
		toArgv: launched(COPILOT_LAUNCH, (prompt) => ['-p', prompt, '--silent', '--allow-all']),
	},
	canary: (rig) =>
		proveDeployment(rig, { adapter: createCopilotAdapter(), canary: copilotCanary, program: [needProgram('copilot')] }),
};
