// The Runtime contract for the event reporter of driven agents, with events that the test provides.
import { randomUUID } from 'node:crypto';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { isJsonObject } from '../base/json-object.ts';
import { describeRuntimeContract } from '../base/runtime.contract.ts';
import type { EventReporter, EventReporterDeps } from './event-reporter.ts';

export function describeReporterContract(
	name: string,
	open: (deps: Omit<EventReporterDeps, 'capabilities'>) => Pick<EventReporter, 'runtime' | 'relayAsk'>,
): void {
	describeRuntimeContract(name, async (events) => {
		const timers = createManualTimers();
		const rest = [...events];
		let id = randomUUID().toString();
		const reporter = open({
			request: { cwd: '/project', gate: 'observe' },
			nativeId: randomUUID(),
			timers,
			now: timers.now,
			newId: () => id,
		});
		return {
			runtime: reporter.runtime,
			async playNext() {
				const event = rest.shift();
				if (!event) return;
				id = event.id;
				reporter.relayAsk(event.hookName, isJsonObject(event.payload) ? event.payload : {}, () => {});
				id = randomUUID();
			},
			advance: timers.advance,
			[Symbol.asyncDispose]: async () => reporter.runtime.stop(),
		};
	});
}
