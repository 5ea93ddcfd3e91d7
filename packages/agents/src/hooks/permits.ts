// What was permitted of the calls of an observed agent, until it is done: an agent that asks for it again is not asked about twice.
import type { EventBase, RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject } from '../base/json-object.ts';

/** How Roost asks for permission in place of an agent that cannot be told to ask. */
export type PermitWords = {
	/** What a call is about, in words that are the same when the agent itself asks for it afterwards. */
	subjectOf(event: RuntimeEvent): string;
};

export type Permits = {
	/** With the input that it was permitted with, where that is another. */
	grant(call: RuntimeEvent, input: ToolInput | undefined): void;
	/** Once for each grant. */
	isGranted(event: RuntimeEvent): boolean;
	/** A call that is done, or a turn that is over, needs no permission any more. */
	observe(event: RuntimeEvent): void;
};

const MOST = 1000;
const NEW_TURN: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop', 'StopFailure', 'SessionStart', 'SessionEnd']);
const DONE: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

export function createPermits({ subjectOf }: PermitWords): Permits {
	const granted = new Set<string>();
	return {
		grant(call, input) {
			granted.add(subjectOf(input ? withInput(call, input) : call));
			const oldest = granted.size > MOST ? granted.values().next().value : undefined;
			if (oldest !== undefined) granted.delete(oldest);
		},
		isGranted: (event) => event.hookName === 'PermissionRequest' && granted.delete(subjectOf(event)),
		observe(event) {
			if (NEW_TURN.has(event.hookName)) granted.clear();
			if (DONE.has(event.hookName)) granted.delete(subjectOf(event));
		},
	};
}

function withInput(event: RuntimeEvent, input: ToolInput): RuntimeEvent {
	const base: EventBase = event;
	return { ...base, ...readReport(event.hookName, { ...(isJsonObject(event.payload) ? event.payload : {}), tool_input: input }) };
}
