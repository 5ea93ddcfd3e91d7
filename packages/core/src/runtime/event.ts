// An agent's report in Roost's normal form: the only thing an adapter may send upward.
import type { HookName, HookPayload } from './normal-form/hook-payloads.ts';

export type RuntimeEvent = KnownEvent | UnreadEvent;

/** In the normal form: its payload is that of its hook. */
export type KnownEvent = { [Name in HookName]: EventOf<Name> }[HookName];

export type EventOf<Name extends HookName> = EventBase & { hookName: Name; payload: HookPayload<Name>; unread?: undefined };

/** An unknown hook, or a payload that is not in the normal form: kept as it came, and always an object. */
export type UnreadEvent = EventBase & { hookName: string; payload: unknown; unread: 'unknown' | 'malformed' };

export type EventBase = {
	/** Opaque correlation id: decisions refer to it. */
	id: string;
	/** Unix milliseconds. */
	timestamp: number;
	/** The agent's own session id, not Roost's. */
	sessionId: string;

	toolName?: string;
	toolUseId?: string;
	/** The subagent the event belongs to; absent for the root agent. */
	agentId?: string;
	agentType?: string;

	context: {
		cwd: string;
		transcriptPath: string;
		permissionMode?: string;
	};

	interaction: Interaction;
};

export type Interaction = {
	/** Whether the runtime waits for sendDecision. */
	expectsDecision: boolean;
	/** How long the runtime waits before it has no opinion, unless it gets a `hold`. */
	defaultTimeoutMs?: number;
	/** Whether the agent's protocol could block here at all. */
	canBlock?: boolean;
	/** The longest time the agent itself waits, even after a `hold`. */
	longestMs?: number;
	/** The agent's own dialog asks too, and stays open where Roost has no opinion. */
	ownDialog?: boolean;
};

/** Roost's own reports, made by adapters where the agent has no hook for it. */
export const RUNTIME_ERROR = 'RuntimeError';
export const RUNTIME_STATUS = 'RuntimeStatus';
/** The usage of the session so far, from agents that report it while they run. */
export const USAGE_REPORT = 'UsageReport';
