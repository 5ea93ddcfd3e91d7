// One hook of an observed agent at the gate: each of its calls in turn, with a permission request where the agent cannot ask.
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import type { EventBase, RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { ToolInput } from '@roost/protocol/feed/base';
import { ok, type Result } from '@roost/protocol/result';
import { getInteractionHints } from '../base/interaction-rules.ts';
import { isJsonObject } from '../base/json-object.ts';
import type { RuntimeCore, Wait } from '../base/runtime-core.ts';
import { toHookVerdict } from '../live/verdict.ts';

type Update = (decision: RuntimeDecision) => void;

export function createHookHandler(deps: {
	offer: RuntimeCore['offer'];
	gate: GateMode;
	/** Null where the agent asks by itself. */
	permits: PermissionSubjects | null;
}) {
	const { gate } = deps;
	const permits = deps.permits && createPermits(deps.permits);
	/** Calls by the id of their permission request. */
	const asked = new Map<string, RuntimeEvent>();

	function receiveOne(event: RuntimeEvent, waits: Wait[], onDecision: Update): Result<void> {
		permits?.observe(event);
		if (permits?.isGranted(event)) return ok(onDecision(GRANTED));
		return offer(event, waits, (decision) => {
			if (isOpen(event, decision)) askFor(event, waits, onDecision);
			else deliver(event, decision, onDecision);
		});
	}

	function offer(event: RuntimeEvent, waits: Wait[], onDecision: Update): Result<void> {
		const offered = deps.offer(event, onDecision);
		return offered.ok ? ok(void waits.push(offered.value)) : offered;
	}

	function isOpen(event: RuntimeEvent, decision: RuntimeDecision): boolean {
		if (!deps.permits || event.hookName !== 'PreToolUse') return false;
		const verdict = toHookVerdict(event, decision);
		return verdict?.type === 'ask' || (verdict?.type === 'none' && gate === 'enforce' && !isHarmless(event));
	}

	function askFor(call: RuntimeEvent, waits: Wait[], onDecision: Update): void {
		const hookName = 'PermissionRequest';
		const base: EventBase = { ...call, id: `${call.id}:permission`, interaction: getInteractionHints(hookName) };
		const question: RuntimeEvent = { ...base, ...readReport(hookName, call.payload) };
		asked.set(question.id, call);
		const offered = offer(question, waits, (decision) => {
			asked.delete(question.id);
			const isSilence = toHookVerdict(call, decision)?.type === 'none';
			deliver(call, isSilence ? unpermitted('this call was not approved') : decision, onDecision);
		});
		if (offered.ok) return;
		asked.delete(question.id);
		onDecision(unpermitted(offered.error.message));
	}

	function deliver(event: RuntimeEvent, decision: RuntimeDecision, onDecision: Update): void {
		const verdict = toHookVerdict(event, decision);
		if (event.hookName === 'PreToolUse' && verdict?.type === 'allow') permits?.grant(event, verdict.updatedInput);
		onDecision(decision);
	}

	function unpermitted(reason: string): RuntimeDecision {
		return silence(gate, { source: 'system', reason });
	}

	return {
		/** `onDecision` is called with the first denied event and its decision, else with the last. */
		receive(events: readonly RuntimeEvent[], onDecision: (event: RuntimeEvent, decision: RuntimeDecision) => void): Result<Wait> {
			const waits: Wait[] = [];
			const first = receiveFrom(0);
			return first.ok ? ok({ abandon: () => waits.forEach((wait) => void wait.abandon()) }) : first;

			function receiveFrom(at: number): Result<void> {
				const event = events[at];
				if (!event) return ok(undefined);
				return receiveOne(event, waits, (decision) => {
					const isLast = at === events.length - 1 || toHookVerdict(event, decision)?.type === 'deny';
					if (isLast) return onDecision(event, decision);
					const next = receiveFrom(at + 1);
					if (!next.ok) onDecision(event, unpermitted(next.error.message));
				});
			}
		},
		/** The hook of an event: for a permission request the call that it is about. */
		hookOf: (event: RuntimeEvent) => asked.get(event.id) ?? event,
	};
}

function isHarmless({ toolName = '', payload }: RuntimeEvent): boolean {
	const input = isJsonObject(payload) ? payload.tool_input : undefined;
	return isHarmlessTool(toolName, isJsonObject(input) ? input : {});
}

/** Permitted under its call, and recorded there. */
const GRANTED: RuntimeDecision = { verdict: { type: 'allow' }, source: 'system' };

/** How permission requests are matched with calls, for agents that cannot be made to ask. */
export type PermissionSubjects = {
	/** Identifies a call; the same when the agent itself asks for it later. */
	subjectOf(event: RuntimeEvent): string;
};

const MOST = 1000;
const NEW_TURN: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop', 'StopFailure', 'SessionStart', 'SessionEnd']);
const DONE: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

function createPermits({ subjectOf }: PermissionSubjects) {
	const granted = new Set<string>();
	return {
		/** With the changed input, where it was changed. */
		grant(call: RuntimeEvent, input: ToolInput | undefined): void {
			granted.add(subjectOf(input ? withInput(call, input) : call));
			const oldest = granted.size > MOST ? granted.values().next().value : undefined;
			if (oldest !== undefined) granted.delete(oldest);
		},
		/** Once for each grant. */
		isGranted: (event: RuntimeEvent) => event.hookName === 'PermissionRequest' && granted.delete(subjectOf(event)),
		/** Forgets grants of finished calls and turns. */
		observe(event: RuntimeEvent): void {
			if (NEW_TURN.has(event.hookName)) granted.clear();
			if (DONE.has(event.hookName)) granted.delete(subjectOf(event));
		},
	};
}

function withInput(event: RuntimeEvent, input: ToolInput): RuntimeEvent {
	const base: EventBase = event;
	return { ...base, ...readReport(event.hookName, { ...(isJsonObject(event.payload) ? event.payload : {}), tool_input: input }) };
}
