// The matrix row of an agent that is known only by its protocol: the real copilot, behind the generic client.

import { agentProgram, agentProgramVersion, needProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { copilotWords, openAcpRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';

export const acpStage: AgentStage = {
	id: 'acp',
	title: 'any ACP agent, as copilot --acp',
	requirement: agentProgram('copilot'),
	version: async () => agentProgramVersion('copilot'),
	open: openAcpRig,
	words: copilotWords,
	program: () => [needProgram('copilot')],
	unknownLine: JSON.stringify({ jsonrpc: '2.0', method: 'tomorrow', params: { text: UNKNOWN_WORD } }),
	observed: 'the protocol only connects an agent with the program that started it',
	canary: async () => ({ guarded: false, reason: 'the protocol has no permission hooks' }),
};
