// The contract of driven agents, for Codex: the real program, against a scripted model.
import { codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { CONTRACT_PROMPTS, contractScript, describeConnectionContract } from '../../live/connection.contract.ts';
import { describeReporterContract } from '../../live/event-reporter.contract.ts';
import { createEventReporter } from '../../live/event-reporter.ts';
import { CODEX_CAPABILITIES } from './codex-setup.ts';

describeConnectionContract('Codex by its app-server', async () => {
	const rig = await openCodexRig({ script: contractScript(codexWords.shell) });
	return {
		open: rig.open,
		pass: () => {},
		prompts: CONTRACT_PROMPTS,
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});

describeReporterContract('the voice of a driven Codex', (deps) =>
	createEventReporter({ ...deps, capabilities: CODEX_CAPABILITIES }),
);
