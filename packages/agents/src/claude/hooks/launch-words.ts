// In which words an observed Claude Code reports over its hooks, and is answered.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { observedCapabilities } from '../../capabilities.ts';
import type { LaunchWords } from '../../hooks/launch-runtime.ts';
import { isJsonObject } from '../../json-object.ts';
import { fitDecision, mapDecisionToResult } from './decision-mapper.ts';
import { mapEnvelopeToRuntimeEvent } from './mapper.ts';

export const CLAUDE_LAUNCH_WORDS: LaunchWords = {
	// The terminal shows its own dialog for a question; only here can either side answer first.
	capabilities: observedCapabilities('claude', { questionHook: 'PermissionRequest' }),
	toEvents: (envelope) => [mapEnvelopeToRuntimeEvent(envelope)],
	fit: fitDecision,
	toResult: mapDecisionToResult,
	permits: { subjectOf },
};

/** A request for permission names no call: it is recognised by who wants what. */
function subjectOf({ agentId, toolName, payload }: RuntimeEvent): string {
	return JSON.stringify([agentId, toolName, isJsonObject(payload) ? payload.tool_input : null]);
}
