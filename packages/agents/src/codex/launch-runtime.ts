// The Runtime of one launch of the user's own codex: its hooks in, its own words out.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { ok } from '@roost/protocol/result';
import type { HookEventEnvelope, HookResultPayload } from '../claude/hooks/envelope.ts';
import type { LaunchRuntime, LaunchRuntimeDeps } from '../claude/hooks/launch-runtime.ts';
import { isJsonObject, type JsonObject, stringAt } from '../json-object.ts';
import { toVerdict, type Verdict } from '../live/verdict.ts';
import { createRuntimeCore } from '../runtime-core.ts';
import { toRuntimeEvent } from '../to-event.ts';
import { toHookOutput, toPermissionOutput } from './hook-words.ts';
import { toNormalCalls } from './tool-calls.ts';

export const CODEX_HOOK_CAPABILITIES: RuntimeCapabilities = {
	agent: 'codex',
	canBlock: true,
	canAsk: true,
	// Its questions are answered in its own terminal only.
	questionHook: null,
	takesPrompts: false,
	canInterrupt: false,
	canResume: false,
	gate: { gated: true },
};

export function createCodexLaunchRuntime(deps: LaunchRuntimeDeps): LaunchRuntime {
	const core = createRuntimeCore({
		...deps,
		capabilities: CODEX_HOOK_CAPABILITIES,
		fit: (event, decision) => fitDecision(event, decision, deps.gate === 'enforce'),
	});
	return {
		runtime: core.runtime,
		report: core.report,
		/** A patch is one hook and as many events as it has files: it may go on where all of them may. */
		accept(envelope, answer) {
			const events = toEvents(envelope);
			const waits: { abandon(): void }[] = [];
			let open = events.length;
			let worst: HookResultPayload = { action: 'passthrough' };
			for (const event of events) {
				const offered = core.offer(event, (decision) => {
					const result = toResult(event, decision);
					if (result.action === 'json_output') worst = result;
					open -= 1;
					if (open === 0) answer(worst);
				});
				if (!offered.ok) return offered;
				waits.push(offered.value);
			}
			const abandon = () => {
				for (const wait of waits) wait.abandon();
			};
			return ok({ abandon });
		},
	};
}

const TOOL_EVENTS: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PostToolUse']);

/** Total: whatever arrives becomes at least one event. */
function toEvents(envelope: HookEventEnvelope): RuntimeEvent[] {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	const { request_id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
	const payloads = TOOL_EVENTS.has(hookName) ? toNormalPayloads(payload) : [payload];
	return payloads.map((each, at) =>
		toRuntimeEvent({ id: at === 0 ? request_id : `${request_id}:${at}`, timestamp, hookName, sessionId }, each),
	);
}

export function toNormalPayloads(payload: JsonObject): JsonObject[] {
	const name = stringAt(payload, 'tool_name');
	const { tool_input: input } = payload;
	if (name === undefined || !isJsonObject(input)) return [payload];
	const id = stringAt(payload, 'tool_use_id') ?? '';
	const { calls } = toNormalCalls({ id, name, input, cwd: stringAt(payload, 'cwd') ?? '/' });
	return calls.map((call) => ({ ...payload, ...call }));
}

/** What takes effect: where it cannot be said, silence, or a refusal where Roost is the gate. */
function fitDecision(event: RuntimeEvent, decision: RuntimeDecision, isGate: boolean): RuntimeDecision {
	const verdict = toVerdict(event, decision);
	const canBeSaid = verdict !== null && (verdict.type !== 'ask' || !isGate) && !isLostEdit(event, verdict);
	if (!event.interaction.expectsDecision || canBeSaid) return decision;
	const wanted = decision.intent?.kind ?? decision.type;
	const type = isGate || (verdict && isLostEdit(event, verdict)) ? 'block' : 'passthrough';
	return {
		...decision,
		type,
		intent: undefined,
		source: 'system',
		reason: `${wanted} cannot be said to Codex at ${event.hookName}`,
	};
}

/** Only a call that is not yet made can be changed, and a patch not at all. */
function isLostEdit(event: RuntimeEvent, verdict: Verdict): boolean {
	if (verdict.type !== 'allow' || verdict.input === undefined) return false;
	return (
		event.hookName !== 'PreToolUse' ||
		stringAt(isJsonObject(event.payload) ? event.payload : {}, 'native_tool_name') === 'apply_patch'
	);
}

function toResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const verdict = toVerdict(event, decision) ?? { type: 'none' };
	if (event.hookName === 'PermissionRequest') return toPermissionOutput(verdict);
	if (event.hookName !== 'PreToolUse') return { action: 'passthrough' };
	if (verdict.type === 'deny') return toHookOutput({ type: 'deny', reason: verdict.reason });
	return toHookOutput(
		verdict.type === 'allow' && verdict.input !== undefined ? { type: 'edit', input: verdict.input } : { type: 'pass' },
	);
}
