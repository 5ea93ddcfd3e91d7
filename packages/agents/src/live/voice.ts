// How a driven agent reports: whole events of one session in the normal form, under its native id, through a runtime like any other.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime, RuntimeCapabilities } from '@roost/core/runtime/runtime';
import type { Timers } from '@roost/machine/timers';
import { type JsonObject, stringAt } from '../json-object.ts';
import { createRuntimeCore, type RuntimeFailure } from '../runtime-core.ts';
import { toRuntimeEvent } from '../to-event.ts';
import { withMissingKey } from './missing-key.ts';
import { fitVerdict, toVerdict, type Verdict } from './verdict.ts';

export type Voice = {
	readonly runtime: Runtime;
	/** What nobody has to decide. */
	report(hookName: string, payload: JsonObject): void;
	/** The answer may come at once, and comes once; calling what is returned gives it up. */
	ask(hookName: string, payload: JsonObject, answer: (verdict: Verdict) => void): () => void;
	/** Something went wrong that belongs in the record, and the agent goes on. */
	fail(failure: RuntimeFailure): void;
	/** What the agent says of itself: its id and its transcript may change on the way. */
	learn(known: { nativeId?: string | undefined; transcriptPath?: string | undefined }): void;
	nativeId(): string;
	mode(): string;
	setMode(mode: string): void;
};

export type VoiceDeps = {
	capabilities: RuntimeCapabilities;
	/** The variable in which the agent looks for the key of its provider, unless it names another. */
	usualKey?: string | undefined;
	request: Pick<DrivenRequest, 'cwd' | 'gate' | 'permissionMode'>;
	/** Empty where it is not known yet. */
	nativeId: string;
	timers: Timers;
	now: () => number;
	newId: () => string;
	onStart?: () => void;
	onStop?: () => void;
};

export const DEFAULT_MODE = 'default';

export function createVoice(deps: VoiceDeps): Voice {
	const { request, now, newId } = deps;
	const core = createRuntimeCore({
		...deps,
		gate: request.gate,
		fit: (event, decision) => fitVerdict(event, decision, request.gate),
	});
	let mode = request.permissionMode ?? DEFAULT_MODE;
	const known = { session_id: deps.nativeId, transcript_path: '', cwd: request.cwd };

	function toEvent(hookName: string, payload: JsonObject): RuntimeEvent {
		const origin = { id: newId(), timestamp: now(), hookName, sessionId: known.session_id };
		return toRuntimeEvent(origin, { ...known, permission_mode: mode, ...payload, hook_event_name: hookName });
	}

	function withKeyLine(payload: JsonObject): JsonObject {
		const why = stringAt(payload, 'last_assistant_message');
		return why === undefined
			? payload
			: { ...payload, last_assistant_message: withMissingKey(deps.capabilities.agent, why, deps.usualKey) };
	}

	function offer(event: RuntimeEvent, answer: (decision: RuntimeDecision) => void): () => void {
		const offered = core.offer(event, answer);
		if (offered.ok) return offered.value.abandon;
		const { code, message } = offered.error;
		core.report({ code, message, detail: { eventId: event.id } });
		if (event.interaction.expectsDecision) answer({ type: 'block', source: 'system', reason: message });
		return () => {};
	}

	return {
		runtime: core.runtime,
		report(hookName, payload) {
			const event = toEvent(hookName, hookName === 'StopFailure' ? withKeyLine(payload) : payload);
			offer({ ...event, interaction: { ...event.interaction, expectsDecision: false } }, () => {});
		},
		ask(hookName, payload, answer) {
			const event = toEvent(hookName, payload);
			return offer(event, (decision) => answer(toVerdict(event, decision) ?? UNSAYABLE));
		},
		fail: core.report,
		learn({ nativeId, transcriptPath }) {
			known.session_id = nativeId ?? known.session_id;
			known.transcript_path = transcriptPath ?? known.transcript_path;
		},
		nativeId: () => known.session_id,
		mode: () => mode,
		setMode(wanted) {
			mode = wanted;
		},
	};
}

const UNSAYABLE: Verdict = { type: 'deny', reason: 'Roost could not say what was decided.' };
