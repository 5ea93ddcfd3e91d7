// A driven Codex keeps what every driven agent promises: the real program, against a scripted model.
import { randomUUID } from 'node:crypto';
import { callTool, type ModelReply, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import { openCodexRig } from '@roost/testkit/rigs/codex-rig';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describeConnectionContract } from '../../connection.contract.ts';
import { isJsonObject } from '../../json-object.ts';
import { createVoice } from '../../live/voice.ts';
import { describeRuntimeContract } from '../../runtime.contract.ts';
import { CODEX_CAPABILITIES } from './create-codex-agent.ts';

describeConnectionContract('Codex by its app-server', async () => {
	const rig = await openCodexRig({ script: answer });
	return {
		open: rig.open,
		pass: () => {},
		prompts: { answered: 'say hello', long: 'write a long text', acts: 'make a file' },
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});

function answer({ lastUserText, toolResults }: ModelRequest): ModelReply {
	if (toolResults.length > 0) return message([say('It is ', 'made.')]);
	if (lastUserText.includes('make a file')) return message([callTool('exec_command', { cmd: 'touch made' })]);
	if (lastUserText.includes('long text'))
		return message([say(...'one two three four five'.split(' '))], { pace: { delayMs: 2000 } });
	return message([say('Hello, ', 'you.')]);
}

/** Which events a real agent reports is its own affair, so here they are put into its mouth. */
describeRuntimeContract('the voice of a driven Codex', async (events) => {
	const timers = createManualTimers();
	const rest = [...events];
	let id = randomUUID().toString();
	const voice = createVoice({
		capabilities: CODEX_CAPABILITIES,
		request: { cwd: '/project', gate: 'observe' },
		nativeId: randomUUID(),
		timers,
		now: timers.now,
		newId: () => id,
	});
	return {
		runtime: voice.runtime,
		async playNext() {
			const event = rest.shift();
			if (!event) return;
			id = event.id;
			voice.ask(event.hookName, isJsonObject(event.payload) ? event.payload : {}, () => {});
			id = randomUUID();
		},
		advance: timers.advance,
		[Symbol.asyncDispose]: async () => voice.runtime.stop(),
	};
});
