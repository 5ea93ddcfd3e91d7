// The Runtime of one launch of an observed agent: hook requests in, the agent's own words out.

import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import type { Result } from '@roost/protocol/result';
import { createRuntimeCore, type RuntimeCore, type RuntimeCoreDeps, type Wait } from '../../runtime-core.ts';
import { fitDecision, mapDecisionToResult } from './decision-mapper.ts';
import type { HookEventEnvelope, HookResultPayload } from './envelope.ts';
import { mapEnvelopeToRuntimeEvent } from './mapper.ts';

export type LaunchRuntime = Pick<RuntimeCore, 'runtime' | 'report'> & {
	/** `answer` is called exactly once, unless the wait is abandoned. */
	accept(envelope: HookEventEnvelope, answer: (result: HookResultPayload) => void): Result<Wait>;
};

/** How one kind of agent reports over the doors of the hook server, and how it is answered. */
export type LaunchWords = {
	readonly capabilities: RuntimeCapabilities;
	/** Total: whatever arrives becomes an event of the normal form. */
	toEvent(envelope: HookEventEnvelope): RuntimeEvent;
	/** What takes effect: an agent cannot be told everything everywhere. */
	fit(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision;
	toResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload;
};

export const CLAUDE_HOOK_CAPABILITIES: RuntimeCapabilities = {
	agent: 'claude',
	canBlock: true,
	canAsk: true,
	// The terminal shows its own dialog for a question; only here can either side answer first.
	questionHook: 'PermissionRequest',
	takesPrompts: false,
	canInterrupt: false,
	canResume: false,
	gate: { gated: true },
};

export const CLAUDE_LAUNCH_WORDS: LaunchWords = {
	capabilities: CLAUDE_HOOK_CAPABILITIES,
	toEvent: mapEnvelopeToRuntimeEvent,
	fit: fitDecision,
	toResult: mapDecisionToResult,
};

export type LaunchRuntimeDeps = Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits'> & {
	gate: GateMode;
	/** Claude's, unless another agent was launched. */
	words?: LaunchWords | undefined;
};

export function createLaunchRuntime(deps: LaunchRuntimeDeps): LaunchRuntime {
	const { words = CLAUDE_LAUNCH_WORDS } = deps;
	const core = createRuntimeCore({
		...deps,
		capabilities: words.capabilities,
		fit: (event, decision) => words.fit(event, decision, deps.gate),
	});
	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const event = words.toEvent(envelope);
			const offered = core.offer(event, (decision) => answer(words.toResult(event, decision)));
			if (!offered.ok) core.report({ code: offered.error.code, message: offered.error.message, detail: { requestId: event.id } });
			return offered;
		},
	};
}
