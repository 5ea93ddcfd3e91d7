// The Runtime of one launch of Claude Code: hook requests in, the agent's own words out.
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

export type LaunchRuntimeDeps = Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits'> & { gate: GateMode };

export function createLaunchRuntime(deps: LaunchRuntimeDeps): LaunchRuntime {
	const core = createRuntimeCore({
		...deps,
		capabilities: CLAUDE_HOOK_CAPABILITIES,
		fit: (event, decision) => fitDecision(event, decision, deps.gate),
	});
	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const event = mapEnvelopeToRuntimeEvent(envelope);
			const offered = core.offer(event, (decision) => answer(mapDecisionToResult(event, decision)));
			if (!offered.ok) core.report({ code: offered.error.code, message: offered.error.message, detail: { requestId: event.id } });
			return offered;
		},
	};
}
