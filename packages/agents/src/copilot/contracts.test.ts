// The contract of driven agents, for Copilot: the real program, against a scripted model.
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { describe, expect, it } from 'vitest';
import { CONTRACT_PROMPTS, contractScript, describeConnectionContract } from '../live/connection.contract.ts';

describe.skipIf(cannotRun([agentProgram('copilot')]))('real Copilot', () => {
	describeConnectionContract('Copilot', async () => {
		const rig = await openCopilotRig({ script: contractScript(copilotWords.shell) });
		return {
			cannot: { fork: 'Copilot offers no copy of a conversation over its protocol' },
			open: rig.open,
			pass: () => {},
			prompts: CONTRACT_PROMPTS,
			[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
		};
	});

	it('declares in its capabilities that every call is gated', async () => {
		await using rig = await openCopilotRig({ script: contractScript(copilotWords.shell) });
		expect(rig.agent.capabilities).toMatchObject({ agent: 'copilot', gate: { gated: true }, canAsk: true });
	});
});
