// The Runtime of one session that only reports: its hooks stand in the project, and whoever it asks, it is not Roost.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { ok } from '@roost/protocol/result';
import { createRuntimeCore, type RuntimeCoreDeps } from '../base/runtime-core.ts';
import { type LaunchRuntime, type LaunchWords, rememberTranscript } from './launch-runtime.ts';

export type ReportRuntimeDeps = Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits'> & { words: LaunchWords };

const ONLY_REPORTS = {
	canBlock: false,
	canAsk: false,
	questionHook: null,
	gate: { gated: false, why: 'hooks that are installed in a project only report' },
} as const;

/** Every report is told as one that nobody waits for, and answered with silence before anybody could say more. */
export function createReportRuntime({ words, ...deps }: ReportRuntimeDeps): LaunchRuntime {
	const core = createRuntimeCore({ ...deps, gate: 'observe', capabilities: { ...words.capabilities, ...ONLY_REPORTS } });
	const withTranscript = rememberTranscript();
	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const offered = words.toEvents(envelope, 'observe').map((event) => core.offer(asReport(withTranscript(event)), () => {}));
			const refused = offered.find((one) => !one.ok);
			if (!refused) answer({ action: 'passthrough' });
			return refused ?? ok({ abandon: () => {} });
		},
	};
}

function asReport(event: RuntimeEvent): RuntimeEvent {
	const { ownDialog } = event.interaction;
	return { ...event, interaction: { expectsDecision: false, canBlock: false, ...(ownDialog && { ownDialog }) } };
}
