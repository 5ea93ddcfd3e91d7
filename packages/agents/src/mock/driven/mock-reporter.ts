// The event reporter of the scripted agent.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { Timers } from '@roost/machine/timers';
import { drivenCapabilities } from '../../base/capabilities.ts';
import { createRuntimeCore } from '../../base/runtime-core.ts';
import { type EventParts, fillDefaults } from '../fill-defaults.ts';

export type MockReporter = {
	readonly runtime: Runtime;
	report<Name extends HookName>(hookName: Name, payload: HookPayload<Name>): void;
	/** The answer may come at once; the returned function abandons the request. */
	ask<Name extends HookName>(hookName: Name, payload: HookPayload<Name>, answer: (decision: RuntimeDecision) => void): () => void;
	tell(event: EventParts): void;
	setMode(mode: string): void;
};

export const DRIVEN_MOCK = drivenCapabilities('mock', { questionHook: 'PreToolUse' });

export function createEventReporter(deps: {
	request: DrivenRequest;
	timers: Timers;
	now: () => number;
	newId: () => string;
	onStart: () => void;
	onStop: () => void;
}): MockReporter {
	const { request, now, newId } = deps;
	const core = createRuntimeCore({ ...deps, capabilities: DRIVEN_MOCK, gate: request.gate });
	const nativeId = request.resume && !request.resume.fork ? request.resume.nativeId : newId();
	const context = { cwd: request.cwd, transcriptPath: '', permissionMode: request.permissionMode ?? 'default' };

	function offer(part: EventParts, answer: (decision: RuntimeDecision) => void): () => void {
		const told = { sessionId: nativeId, context: { ...context }, ...part };
		const event = fillDefaults(told, { id: newId(), timestamp: now() });
		const offered = core.offer(event, answer);
		if (offered.ok) return offered.value.abandon;
		core.report({ code: offered.error.code, message: offered.error.message, detail: event.id });
		return () => {};
	}

	return {
		runtime: core.runtime,
		report: (hookName, payload) => void offer({ hookName, payload }, () => {}),
		ask: (hookName, payload, answer) => offer({ hookName, payload }, answer),
		tell: (event) => void offer(event, () => {}),
		setMode(mode) {
			context.permissionMode = mode;
		},
	};
}
