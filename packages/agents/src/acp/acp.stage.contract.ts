// The row of any agent that is only known by its protocol: here the real copilot, of which the generic client knows nothing.

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
	observed: 'the protocol is spoken only with whoever started the agent',
	canary: async () => ({ guarded: false, reason: 'the protocol has no permission hooks' }),
};
