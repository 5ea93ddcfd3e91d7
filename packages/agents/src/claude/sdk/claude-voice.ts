// How a driven Claude reports: whole events under its native id, in the mode Roost asked for, through a runtime like any other.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime, RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { createRuntimeCore, type RuntimeFailure } from '../../runtime-core.ts';
import type { Timers } from '../../timers.ts';
import { type JsonObject, stringAt } from '../hooks/json-object.ts';
import { mapEnvelopeToRuntimeEvent } from '../hooks/mapper.ts';
import { fitVerdict } from './gate-verdict.ts';
import { DEFAULT_MODE, toRoostMode } from './permission-modes.ts';

export type ClaudeVoice = {
	readonly runtime: Runtime;
	/** What nobody has to decide. */
	report(hookName: string, payload: JsonObject): void;
	/** The answer may come at once; calling what is returned gives it up. */
	ask(hookName: string, payload: JsonObject, answer: (decision: RuntimeDecision, event: RuntimeEvent) => void): () => void;
	/** Something went wrong that belongs in the record, and the agent goes on. */
	fail(failure: RuntimeFailure): void;
	/** What Claude says of itself: its id, its transcript and its mode may change on the way. */
	learn(payload: JsonObject): void;
	mode(): string;
	setMode(mode: string): void;
};

export const CLAUDE_SDK_CAPABILITIES: RuntimeCapabilities = {
	agent: 'claude',
	canBlock: true,
	canAsk: true,
	// Claude asks for permission to put a question in every mode, and takes its answer there.
	questionHook: 'PermissionRequest',
	takesPrompts: true,
	canInterrupt: true,
	canResume: true,
	gate: { gated: true },
};

export function createClaudeVoice(deps: {
	request: Pick<DrivenRequest, 'cwd' | 'gate' | 'permissionMode'>;
	/** Empty where it is not known yet. */
	nativeId: string;
	timers: Timers;
	now: () => number;
	newId: () => string;
	onStart?: () => void;
	onStop?: () => void;
}): ClaudeVoice {
	const { request, now, newId } = deps;
	const core = createRuntimeCore({
		...deps,
		capabilities: CLAUDE_SDK_CAPABILITIES,
		gate: request.gate,
		fit: (event, decision) => fitVerdict(event, decision, request.gate),
	});
	let asked = request.permissionMode ?? DEFAULT_MODE;
	let mode = asked;
	const known = { session_id: deps.nativeId, transcript_path: '', cwd: request.cwd };

	function learn(payload: JsonObject): void {
		known.session_id = stringAt(payload, 'session_id') ?? known.session_id;
		known.transcript_path = stringAt(payload, 'transcript_path') ?? known.transcript_path;
		// A subagent may have a mode of its own.
		if (stringAt(payload, 'agent_id') === undefined) mode = reportedMode(payload);
	}

	function toEvent(hookName: string, payload: JsonObject): RuntimeEvent {
		const whole = { ...known, ...payload, hook_event_name: hookName, permission_mode: reportedMode(payload) };
		return mapEnvelopeToRuntimeEvent({
			request_id: newId(),
			ts: now(),
			session_id: known.session_id,
			hook_event_name: hookName,
			payload: whole,
		});
	}

	function reportedMode(payload: JsonObject): string {
		return toRoostMode(stringAt(payload, 'permission_mode') ?? mode, asked);
	}

	function offer(event: RuntimeEvent, answer: (decision: RuntimeDecision, event: RuntimeEvent) => void): () => void {
		const offered = core.offer(event, (decision) => answer(decision, event));
		if (offered.ok) return offered.value.abandon;
		const { code, message } = offered.error;
		core.report({ code, message, detail: { eventId: event.id } });
		if (event.interaction.expectsDecision) answer({ type: 'block', source: 'system', reason: message }, event);
		return () => {};
	}

	return {
		runtime: core.runtime,
		report(hookName, payload) {
			const event = toEvent(hookName, payload);
			offer({ ...event, interaction: { ...event.interaction, expectsDecision: false } }, () => {});
		},
		ask: (hookName, payload, answer) => offer(toEvent(hookName, payload), answer),
		fail: core.report,
		learn,
		mode: () => mode,
		setMode(wanted) {
			asked = wanted;
			mode = wanted;
		},
	};
}
