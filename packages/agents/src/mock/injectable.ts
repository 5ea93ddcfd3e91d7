// A Runtime for tests: emits given events and keeps the decisions.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import { createRuntimeCore } from '../base/runtime-core.ts';
import { type EventParts, fillDefaults, MOCK_CAPABILITIES } from './fill-defaults.ts';

export type InjectableMockRuntime = Runtime & {
	/** Returns the whole event with its id. Nothing is emitted while stopped. */
	emit(event: EventParts): RuntimeEvent;
	/** In order, including late ones. */
	getDecisions(): { eventId: string; decision: RuntimeDecision }[];
	getDecision(eventId: string): RuntimeDecision | undefined;
};

export type InjectableOptions = { timers?: Timers; now?: () => number };

export function createInjectableMockRuntime(options: InjectableOptions = {}): InjectableMockRuntime {
	const { timers = realTimers, now = Date.now } = options;
	const received: { eventId: string; decision: RuntimeDecision }[] = [];
	let ids = 0;
	const newId = () => `mock-${++ids}`;
	const core = createRuntimeCore({ capabilities: MOCK_CAPABILITIES, gate: 'observe', timers, now, newId });
	return {
		...core.runtime,
		emit(partial) {
			const event = fillDefaults(partial, { id: newId(), timestamp: now() });
			const offered = core.offer(event, () => {});
			if (!offered.ok) core.report({ code: offered.error.code, message: offered.error.message, detail: event.id });
			return event;
		},
		sendDecision(eventId, decision) {
			received.push({ eventId, decision });
			core.runtime.sendDecision(eventId, decision);
		},
		getDecisions: () => [...received],
		getDecision: (eventId) => received.find((entry) => entry.eventId === eventId)?.decision,
	};
}
