// The voice of a driven agent keeps what every Runtime promises. Which events a real one reports is its own affair: here they are put into its mouth.
import { randomUUID } from 'node:crypto';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { isJsonObject } from '../json-object.ts';
import { describeRuntimeContract } from '../runtime.contract.ts';
import type { Voice, VoiceDeps } from './voice.ts';

export function describeVoiceContract(
	name: string,
	open: (deps: Omit<VoiceDeps, 'capabilities'>) => Pick<Voice, 'runtime' | 'relayAsk'>,
): void {
	describeRuntimeContract(name, async (events) => {
		const timers = createManualTimers();
		const rest = [...events];
		let id = randomUUID().toString();
		const voice = open({
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
				voice.relayAsk(event.hookName, isJsonObject(event.payload) ? event.payload : {}, () => {});
				id = randomUUID();
			},
			advance: timers.advance,
			[Symbol.asyncDispose]: async () => voice.runtime.stop(),
		};
	});
}
