// In which words an observed Claude Code reports over its hooks, and is answered.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { observedCapabilities } from '../../base/capabilities.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { withOwnDialog } from '../../base/to-event.ts';
import type { HookEventEnvelope } from '../../hooks/envelope.ts';
import type { LaunchWords } from '../../hooks/launch-runtime.ts';
import { fitDecision, mapDecisionToResult } from './decision-mapper.ts';
import { mapEnvelopeToRuntimeEvent } from './mapper.ts';

export const CLAUDE_LAUNCH_WORDS: LaunchWords = {
	// The terminal shows its own dialog for a question; only here can either side answer first.
	capabilities: observedCapabilities('claude', { questionHook: 'PermissionRequest' }),
	toEvents: (envelope, gate) => [toEvent(envelope, gate)],
	fit: fitDecision,
	toResult: mapDecisionToResult,
	permits: { subjectOf },
};

/** Claude shows its dialog while its hook is held; where Roost is the gate, silence is a denial and closes it. */
function toEvent(envelope: HookEventEnvelope, gate: GateMode): RuntimeEvent {
	const event = mapEnvelopeToRuntimeEvent(envelope);
	return gate === 'observe' && event.hookName === 'PermissionRequest' ? withOwnDialog(event) : event;
}

/** A request for permission names no call: it is recognised by who wants what. */
function subjectOf({ agentId, toolName, payload }: RuntimeEvent): string {
	return JSON.stringify([agentId, toolName, isJsonObject(payload) ? payload.tool_input : null]);
}
