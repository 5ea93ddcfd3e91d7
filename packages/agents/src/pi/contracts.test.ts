// The contract of driven agents, for Pi: the real program, against a scripted model.
import { openPiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { CONTRACT_PROMPTS, contractScript, describeConnectionContract } from '../live/connection.contract.ts';
import { describeReporterContract } from '../live/event-reporter.contract.ts';
import { createEventReporter } from '../live/event-reporter.ts';
import { PI_CAPABILITIES } from './pi-wire.ts';

describeConnectionContract('Pi by its RPC', async () => {
	const rig = await openPiRig({ script: contractScript(piWords.shell) });
	return {
		open: rig.open,
		pass: () => {},
		prompts: CONTRACT_PROMPTS,
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});

describeReporterContract('the voice of a driven Pi', (deps) => createEventReporter({ ...deps, capabilities: PI_CAPABILITIES }));
