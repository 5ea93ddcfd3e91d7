// A driven Pi keeps what every driven agent promises: the real program, against a scripted model.
import { openPiRig, piWords } from '@roost/testkit/rigs/pi-rig';
import { CONTRACT_PROMPTS, contractScript, describeConnectionContract } from '../connection.contract.ts';
import { describeVoiceContract } from '../live/voice.contract.ts';
import { createVoice } from '../live/voice.ts';
import { PI_CAPABILITIES } from './pi-agent.ts';

describeConnectionContract('Pi by its RPC', async () => {
	const rig = await openPiRig({ script: contractScript(piWords.shell) });
	return {
		open: rig.open,
		pass: () => {},
		prompts: CONTRACT_PROMPTS,
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});

describeVoiceContract('the voice of a driven Pi', (deps) => createVoice({ ...deps, capabilities: PI_CAPABILITIES }));
