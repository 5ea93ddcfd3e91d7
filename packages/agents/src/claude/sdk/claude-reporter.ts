// The event reporter of a driven Claude, with the id and mode that Claude reports.
import { drivenCapabilities } from '../../base/capabilities.ts';
import { type JsonObject, stringAt } from '../../base/json-object.ts';
import { createEventReporter, type EventReporter, type EventReporterDeps } from '../../live/event-reporter.ts';
import type { HookVerdict } from '../../live/verdict.ts';
import { authorOf } from '../hooks/mapper.ts';
import { DEFAULT_MODE, toRoostMode } from './permission-modes.ts';

export type ClaudeReporter = Omit<EventReporter, 'learn'> & {
	/** The id, the transcript and the mode may change during a session. */
	learn(payload: JsonObject): void;
};

/** Claude asks for permission to ask a question in every mode, and takes the answer there. */
export const CLAUDE_SDK_CAPABILITIES = drivenCapabilities('claude', { canLimitTurns: true });

export function createClaudeReporter(deps: Omit<EventReporterDeps, 'capabilities'>): ClaudeReporter {
	const reporter = createEventReporter({ ...deps, capabilities: CLAUDE_SDK_CAPABILITIES, usualKey: 'ANTHROPIC_API_KEY' });
	let asked = deps.request.permissionMode ?? DEFAULT_MODE;

	function reportedMode(payload: object): string {
		return toRoostMode(stringAt(payload, 'permission_mode') ?? reporter.mode(), asked);
	}

	function relay(hookName: string, payload: object): void {
		reporter.relay(hookName, { ...payload, permission_mode: reportedMode(payload), ...authorOf(hookName, payload) });
	}

	function relayAsk(hookName: string, payload: object, answer: (verdict: HookVerdict) => void): () => void {
		return reporter.relayAsk(hookName, { ...payload, permission_mode: reportedMode(payload) }, answer);
	}

	return {
		...reporter,
		report: relay,
		ask: relayAsk,
		relay,
		relayAsk,
		learn(payload) {
			reporter.learn({ nativeId: stringAt(payload, 'session_id'), transcriptPath: stringAt(payload, 'transcript_path') });
			// A subagent may have another mode.
			if (stringAt(payload, 'agent_id') === undefined) reporter.setMode(reportedMode(payload));
		},
		setMode(wanted) {
			asked = wanted;
			reporter.setMode(wanted);
		},
	};
}
