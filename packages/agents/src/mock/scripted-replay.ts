// A Runtime that plays a script: each entry after its delay, some only after a decision.
import type { Runtime } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import { createRuntimeCore } from '../base/runtime-core.ts';
import { type EventParts, fillDefaults, MOCK_CAPABILITIES } from './fill-defaults.ts';

export type MockScript = readonly MockScriptEntry[];

export type MockScriptEntry = {
	delayMs: number;
	event: EventParts;
	/** Pauses until that event is decided: after this entry if it is its own, else before it. */
	awaitDecisionForId?: string;
};

export type MockOptions = {
	/** 2 plays twice as fast. */
	speed?: number;
	timers?: Timers;
	now?: () => number;
};

/** Stopping pauses the script; starting resumes with the next entry. */
export function createMockRuntime(script: MockScript, options: MockOptions = {}): Runtime {
	const { speed = 1, timers = realTimers, now = Date.now } = options;
	const decided = new Set<string>();
	let ids = 0;
	const newId = () => `mock-${++ids}`;
	let position = 0;
	let awaited: string | undefined;
	let cancelNext = () => {};

	const core = createRuntimeCore({
		capabilities: MOCK_CAPABILITIES,
		gate: 'observe',
		timers,
		now,
		newId,
		onStart: playNext,
		onStop: () => cancelNext(),
	});
	core.runtime.onDecision((eventId) => {
		decided.add(eventId);
		if (eventId !== awaited) return;
		awaited = undefined;
		playNext();
	});
	return core.runtime;

	function playNext(): void {
		cancelNext();
		const entry = script[position];
		if (!entry || core.runtime.getStatus() === 'stopped' || awaited !== undefined) return;
		const own = entry.awaitDecisionForId === entry.event.id;
		if (!own && mustAwait(entry)) return;
		cancelNext = timers.after(entry.delayMs / speed, () => play(entry));
	}

	function play(entry: MockScriptEntry): void {
		position++;
		const event = fillDefaults(entry.event, { id: newId(), timestamp: now() });
		const offered = core.offer(event, () => {});
		if (!offered.ok) core.report({ code: offered.error.code, message: offered.error.message, detail: event.id });
		if (!mustAwait(entry)) playNext();
	}

	function mustAwait(entry: MockScriptEntry): boolean {
		const id = entry.awaitDecisionForId;
		if (id === undefined || decided.has(id)) return false;
		awaited = id;
		return true;
	}
}
