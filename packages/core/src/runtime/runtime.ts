// The boundary: a live view of one running agent. It never throws; a failure is its last event.
import type { RuntimeDecision } from './decision.ts';
import type { RuntimeEvent } from './event.ts';

export type RuntimeEventHandler = (event: RuntimeEvent) => void;
export type RuntimeDecisionHandler = (eventId: string, decision: RuntimeDecision) => void;

export type Runtime = {
	readonly capabilities: RuntimeCapabilities;
	start(): void;
	stop(): void;
	getStatus(): 'stopped' | 'running';
	/** Returns the unsubscribe function. */
	onEvent(handler: RuntimeEventHandler): () => void;
	/** Called with every decision that took effect, also those of the runtime itself (deadline, lost connection). */
	onDecision(handler: RuntimeDecisionHandler): () => void;
	sendDecision(eventId: string, decision: RuntimeDecision): void;
	/** An ask was opened: wait this long for the decision instead of the default. */
	hold(eventId: string, timeoutMs: number): void;
};

/** The capabilities of an agent: callers branch on these, never on the presence of a method. */
export type RuntimeCapabilities = {
	agent: string;
	canBlock: boolean;
	canAsk: boolean;
	/** The hook at which a question is answered; null where it cannot be. */
	questionHook: 'PreToolUse' | 'PermissionRequest' | null;
	/** The hook at which a rule's allow is given. At PreToolUse it saves the agent a permission request. */
	allowHook: 'PreToolUse' | 'PermissionRequest';
	takesPrompts: boolean;
	canInterrupt: boolean;
	canResume: boolean;
	canLimitTurns: boolean;
	gate: { gated: true } | { gated: false; why: string };
};
