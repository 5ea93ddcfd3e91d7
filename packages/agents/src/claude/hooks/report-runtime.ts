// The Runtime of one session that only reports: its hooks stand in the project, and whoever it asks, it is not Roost.
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { createRuntimeCore, type RuntimeCoreDeps } from '../../runtime-core.ts';
import { CLAUDE_HOOK_CAPABILITIES, type LaunchRuntime } from './launch-runtime.ts';
import { mapEnvelopeToRuntimeEvent } from './mapper.ts';

const CAPABILITIES: RuntimeCapabilities = {
	...CLAUDE_HOOK_CAPABILITIES,
	canBlock: false,
	canAsk: false,
	questionHook: null,
	gate: { gated: false, why: 'hooks that are installed in a project only report' },
};

/** Every report is told as one that nobody waits for, and answered with silence before anybody could say more. */
export function createReportRuntime(deps: Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits'>): LaunchRuntime {
	const core = createRuntimeCore({ ...deps, gate: 'observe', capabilities: CAPABILITIES });
	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const event = mapEnvelopeToRuntimeEvent(envelope);
			const reported = { ...event, interaction: { expectsDecision: false, canBlock: false } };
			return core.offer(reported, () => answer({ action: 'passthrough' }));
		},
	};
}
