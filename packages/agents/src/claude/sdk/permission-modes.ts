// The permission modes of a driven Claude, and its event reporter, which follows the id and mode that Claude reports.
import type { PermissionMode } from '@anthropic-ai/claude-agent-sdk';
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { drivenCapabilities } from '../../base/capabilities.ts';
import { type JsonObject, stringAt } from '../../base/json-object.ts';
import { createEventReporter, type EventReporter, type EventReporterDeps } from '../../live/event-reporter.ts';
import type { HookVerdict } from '../../live/verdict.ts';
import { authorOf } from '../hooks/decision-mapper.ts';

/**
 * In every mode the gate (PreToolUse) comes first, so that a deny rule always applies. For calls that pass it:
 * - `default`: Claude runs read-only calls; every other call becomes a PermissionRequest, decided by rules or people.
 * - `acceptEdits`: Claude also makes edits inside the project without asking.
 * - `plan`: Claude runs read-only calls; calls that need permission are denied here without asking.
 *   Questions and leaving plan mode are asked as usual. An allow at the gate only means no objection.
 * - `dontAsk`: Claude runs in its default mode; the controller denies PermissionRequests that no rule allows.
 *   Claude's own mode of that name would deny before the rules apply.
 * - `bypassPermissions`: Claude asks for no permission; only the gate applies.
 */
const MODES: ReadonlyMap<string, PermissionMode> = new Map<string, PermissionMode>([
	['default', 'default'],
	['acceptEdits', 'acceptEdits'],
	['plan', 'plan'],
	['dontAsk', 'default'],
	['bypassPermissions', 'bypassPermissions'],
]);

export const DEFAULT_MODE = 'default';
const LEAVE_PLAN_TOOL = 'ExitPlanMode';

/** Undefined for an unknown mode. */
export function toClaudeMode(mode: string): PermissionMode | undefined {
	return MODES.get(mode);
}

/** `asked` is the requested mode. */
function toRoostMode(reported: string, asked: string): string {
	return asked === 'dontAsk' && reported === 'default' ? asked : reported;
}

/** As root Claude starts with this mode only in a sandbox. */
export function mayBypass(env: Readonly<Record<string, string>>, isRoot: boolean): boolean {
	return !isRoot || env.IS_SANDBOX === '1';
}

/** Null where the mode is supported. */
export function refuseMode(mode: string, bypassable: boolean): string | null {
	if (!MODES.has(mode)) return `"${mode}" is not a permission mode: choose one of ${[...MODES.keys()].join(', ')}.`;
	if (mode !== 'bypassPermissions' || bypassable) return null;
	return 'Claude does not run with bypassPermissions as root: choose another mode, or set IS_SANDBOX=1 in its environment if it runs in a sandbox.';
}

/** Allowed to ask even though nothing is executed. */
export function isAskedInPlan(tool: string): boolean {
	return tool === QUESTION_TOOL || tool === LEAVE_PLAN_TOOL;
}

export type ClaudeReporter = Omit<EventReporter, 'learn'> & {
	/** The id, the transcript and the mode may change during a session. */
	learn(payload: JsonObject): void;
};

/** Claude asks for permission to ask a question in every mode, and takes the answer there. */
export const CLAUDE_SDK_CAPABILITIES = drivenCapabilities('claude', { allowHook: 'PreToolUse', canLimitTurns: true });

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
