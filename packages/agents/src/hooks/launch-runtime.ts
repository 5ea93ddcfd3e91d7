// The Runtime of one launch of an observed agent: hook requests in, hook output out.
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { ok, type Result } from '@roost/protocol/result';
import { createRuntimeCore, type RuntimeCore, type RuntimeCoreDeps, type Wait } from '../base/runtime-core.ts';
import { toRuntimeEvent } from '../base/to-event.ts';
import type { HookEventEnvelope, HookResultPayload } from './envelope.ts';
import { createHookHandler, type PermissionSubjects } from './handle-hook.ts';

export type LaunchRuntime = Pick<RuntimeCore, 'runtime' | 'report'> & {
	/** `answer` is called exactly once, unless the wait is abandoned. */
	accept(envelope: HookEventEnvelope, answer: (result: HookResultPayload) => void): Result<Wait>;
};

/** How one kind of agent reports to the hook server, and how it is answered. */
export type HookProtocol = {
	readonly capabilities: RuntimeCapabilities;
	/** Total. One hook may contain several calls, or nothing new. */
	toEvents(envelope: HookEventEnvelope, gate: GateMode): readonly RuntimeEvent[];
	/** Replaces a decision that the agent does not support. */
	fit(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision;
	toResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload;
	/** Null where the agent asks for permission by itself. */
	readonly permits: PermissionSubjects | null;
};

export type LaunchRuntimeDeps = Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits' | 'longestMs'> & {
	gate: GateMode;
	protocol: HookProtocol;
	/** Repository configuration; reported once, when the session is known. */
	repository?: readonly string[] | undefined;
	/** What Roost added to the launch; reported the same way. */
	notices?: readonly string[] | undefined;
};

export function createLaunchRuntime(deps: LaunchRuntimeDeps): LaunchRuntime {
	const { protocol, gate } = deps;
	const core = createRuntimeCore({
		...deps,
		capabilities: protocol.capabilities,
		fit: (event, decision) => protocol.fit(receiving.hookOf(event), decision, gate),
	});
	const receiving = createHookHandler({ offer: core.offer, gate, permits: protocol.permits });
	const withTranscript = rememberTranscript();
	let unreported = [...toNotices(deps.repository, REPOSITORY_SETTINGS), ...toNotices(deps.notices, LAUNCH_NOTICE)];

	function reportNotices({ id, sessionId, timestamp, context }: RuntimeEvent): void {
		if (sessionId === '') return;
		for (const [at, notice] of unreported.entries()) {
			const origin = { id: `${id}:notice:${at}`, timestamp, sessionId };
			core.offer(toRuntimeEvent(origin, 'Notification', { cwd: context.cwd, ...notice }), () => {});
		}
		unreported = [];
	}

	/** A payload that the adapter cannot read is reported without content and decided as the gate says. */
	function readSafely(envelope: HookEventEnvelope): readonly RuntimeEvent[] {
		try {
			return protocol.toEvents(envelope, gate);
		} catch {
			core.report({ code: 'internal', message: 'The adapter could not read a report. Its content was not recorded.' });
			return protocol.toEvents({ ...envelope, payload: { hook_event_name: envelope.hook_event_name } }, gate);
		}
	}

	function toResultSafely(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
		try {
			return protocol.toResult(event, decision);
		} catch {
			return protocol.toResult(event, silence(gate, { source: 'system', reason: 'Roost could not express the decision' }));
		}
	}

	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const events = readSafely(envelope).map(withTranscript);
			if (events.length === 0) answer({ action: 'passthrough' });
			const received = receiving.receive(events, (event, decision) => answer(toResultSafely(event, decision)));
			for (const event of events) reportNotices(event);
			if (!received.ok) core.report({ code: received.error.code, message: received.error.message, detail: envelope.request_id });
			return received;
		},
	};
}

const REPOSITORY_SETTINGS = 'repository_settings';
const LAUNCH_NOTICE = 'launch_notice';

function toNotices(messages: readonly string[] = [], notification_type: string) {
	return messages.map((message) => ({ message, notification_type }));
}

/** Some agents name the transcript only in some hooks, and not in the last one, where it is needed. */
function rememberTranscript(): (event: RuntimeEvent) => RuntimeEvent {
	let known = { sessionId: '', transcriptPath: '' };
	return (event) => {
		const { sessionId, context } = event;
		if (context.transcriptPath) known = { sessionId, transcriptPath: context.transcriptPath };
		if (context.transcriptPath || sessionId !== known.sessionId) return event;
		return { ...event, context: { ...context, transcriptPath: known.transcriptPath } };
	};
}

type ReportRuntimeDeps = Pick<RuntimeCoreDeps, 'timers' | 'now' | 'newId' | 'limits'> & { protocol: HookProtocol };

const ONLY_REPORTS = {
	canBlock: false,
	canAsk: false,
	questionHook: null,
	allowHook: 'PermissionRequest',
	gate: { gated: false, why: 'hooks that are installed in a project only report' },
} as const;

/** Reports events as not waiting, and answers with no opinion at once. */
export function createReportRuntime({ protocol, ...deps }: ReportRuntimeDeps): LaunchRuntime {
	const core = createRuntimeCore({ ...deps, gate: 'observe', capabilities: { ...protocol.capabilities, ...ONLY_REPORTS } });
	const withTranscript = rememberTranscript();
	return {
		runtime: core.runtime,
		report: core.report,
		accept(envelope, answer) {
			const offered = protocol
				.toEvents(envelope, 'observe')
				.map((event) => core.offer(asReport(withTranscript(event)), () => {}));
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
