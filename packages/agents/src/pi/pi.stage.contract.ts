// Pi's row of the matrix.
import { agentProgram, agentProgramVersion, needProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig, PI_MODEL, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { proveDeployment } from '../conformance/prove-deployment.contract.ts';
import { launched } from '../conformance/prove-observed.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { PI_HOOK_PROTOCOL, PI_LAUNCH } from './launch.ts';
import { createPiAdapter } from './pi-adapter.ts';
import { piCanary } from './pi-kind.ts';

export const piStage: AgentStage = {
	id: 'pi',
	title: 'Pi',
	requirement: agentProgram('pi'),
	version: async () => agentProgramVersion('pi'),
	open: openPiRig,
	words: piWords,
	request: { model: PI_MODEL },
	program: () => [needProgram('pi')],
	unknownLine: JSON.stringify({ type: 'tomorrow', text: UNKNOWN_WORD }),
	observed: {
		protocol: PI_HOOK_PROTOCOL,
		toArgv: launched(PI_LAUNCH, (prompt) => ['-p', '--model', PI_MODEL, prompt]),
	},
	canary: (rig) => proveDeployment(rig, { adapter: createPiAdapter(), canary: piCanary, program: [needProgram('pi')] }),
};
