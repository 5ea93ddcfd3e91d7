// The contract of driven agents, for Claude: the real program, against a scripted model.
import { claudeWords, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { CONTRACT_PROMPTS, contractScript, describeConnectionContract } from '../../live/connection.contract.ts';
import { describeReporterContract } from '../../live/event-reporter.contract.ts';
import { createClaudeReporter } from './permission-modes.ts';

describeConnectionContract('Claude by its SDK', async () => {
	const rig = await openClaudeRig({ script: contractScript(claudeWords.shell) });
	return {
		open: rig.open,
		pass: () => {},
		prompts: CONTRACT_PROMPTS,
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});

describeReporterContract('the voice of a driven Claude', createClaudeReporter);
