// How the user's own Codex reports over the hooks of its launch, and how it is answered.
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { observedCapabilities } from '../base/capabilities.ts';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import { readRuntimeEvent, withOwnDialog } from '../base/to-event.ts';
import type { HookEventEnvelope, HookResultPayload } from '../hooks/envelope.ts';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import { type HookVerdict, toHookVerdict } from '../live/verdict.ts';
import { toHookOutput, toPermissionOutput } from './hook-output.ts';
import { toNormalCalls } from './tool-calls.ts';

const CODEX_OBSERVED_CAPABILITIES = observedCapabilities('codex');

/** Codex cannot be made to ask, and shows its dialog only after its hook has answered: in enforce mode Roost asks. */
export const CODEX_HOOK_PROTOCOL: HookProtocol = {
	capabilities: CODEX_OBSERVED_CAPABILITIES,
	toEvents(envelope, gate) {
		const events = toEvents(envelope);
		// In observe mode the user's own dialog is not delayed.
		return gate === 'observe'
			? events.map((event) => (event.hookName === 'PermissionRequest' ? asReport(event) : event))
			: events;
	},
	fit: fitDecision,
	toResult,
	permits: { subjectOf },
};

const FILE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit']);

/** An approval request of Codex has no call id and not all of the input. */
function subjectOf({ toolName = '', payload }: RuntimeEvent): string {
	const input = isJsonObject(payload) && isJsonObject(payload.tool_input) ? payload.tool_input : {};
	if (toolName === 'Bash') return `Bash ${JSON.stringify(input.command)}`;
	return FILE_TOOLS.has(toolName) ? `file ${JSON.stringify(input.file_path)}` : `${toolName} ${JSON.stringify(input)}`;
}

function asReport(event: RuntimeEvent): RuntimeEvent {
	return withOwnDialog({ ...event, interaction: { expectsDecision: false, canBlock: false } });
}

const TOOL_EVENTS: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PostToolUse']);

/** Total: every payload becomes at least one event. */
function toEvents(envelope: HookEventEnvelope): RuntimeEvent[] {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	const { request_id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
	const payloads = TOOL_EVENTS.has(hookName) ? toNormalPayloads(payload) : [payload];
	return payloads.map((each, at) =>
		readRuntimeEvent({ id: at === 0 ? request_id : `${request_id}:${at}`, timestamp, sessionId }, hookName, each),
	);
}

export function toNormalPayloads(payload: JsonObject): JsonObject[] {
	const name = stringAt(payload, 'tool_name');
	const { tool_input: input } = payload;
	if (name === undefined || !isJsonObject(input)) return [payload];
	const id = stringAt(payload, 'tool_use_id') ?? '';
	const { calls } = toNormalCalls({ id, name, input, cwd: stringAt(payload, 'cwd') ?? '/' });
	// A permission request has no call id.
	return calls.map(({ tool_use_id, ...call }) => ({ ...payload, ...call, ...(id === '' ? {} : { tool_use_id }) }));
}

/** An unsupported decision becomes no opinion, or a denial in enforce mode. */
function fitDecision(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	const verdict = toHookVerdict(event, decision);
	const isLost = verdict !== null && isLostEdit(event, verdict);
	if (!event.interaction.expectsDecision || (verdict !== null && !isLost)) return decision;
	const reason = `Codex does not support ${decision.verdict.type} at ${event.hookName}`;
	return silence(isLost ? 'enforce' : gate, { ...decision, source: 'system', reason });
}

/** Only a call that was not made yet can be changed, and a patch cannot. */
function isLostEdit(event: RuntimeEvent, verdict: HookVerdict): boolean {
	if (verdict.type !== 'allow' || verdict.updatedInput === undefined) return false;
	const native = stringAt(isJsonObject(event.payload) ? event.payload : {}, 'native_tool_name');
	const isCommand = event.toolName !== 'Bash' || typeof verdict.updatedInput.command === 'string';
	return event.hookName !== 'PreToolUse' || native === 'apply_patch' || !isCommand;
}

function toResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const verdict: HookVerdict = toHookVerdict(event, decision) ?? { type: 'none' };
	if (event.hookName === 'PermissionRequest') return toPermissionOutput(verdict);
	if (event.hookName !== 'PreToolUse') return { action: 'passthrough' };
	if (verdict.type === 'deny') return toHookOutput({ type: 'deny', reason: verdict.message });
	if (verdict.type !== 'allow' || verdict.updatedInput === undefined) return toHookOutput({ type: 'pass' });
	const input = event.toolName === 'Bash' ? { command: verdict.updatedInput.command } : verdict.updatedInput;
	return toHookOutput({ type: 'edit', input });
}
