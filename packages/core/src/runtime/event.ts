// What an agent reports, in Roost's normal form: the only thing an adapter may send upward.
import type { HookName, HookPayload } from './normal-form/hook-payloads.ts';

export type RuntimeEvent = KnownEvent | UnreadEvent;

/** In the normal form: its payload is that of its hook. */
export type KnownEvent = { [Name in HookName]: EventOf<Name> }[HookName];

export type EventOf<Name extends HookName> = EventBase & { hookName: Name; payload: HookPayload<Name>; unread?: undefined };

/** Of a hook that Roost does not know, or with a payload that is not in the normal form: kept as it came, and always an object. */
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
	/** How long it waits before it has no opinion, unless it is told to hold. */
	defaultTimeoutMs?: number;
	/** Whether the agent's protocol could block here at all. */
	canBlock?: boolean;
	/** The agent itself waits no longer than this, whatever it is told. */
	longestMs?: number;
	/** The agent's own dialog asks the same, and stays open where Roost has no opinion. */
	ownDialog?: boolean;
};

/** Roost's own reports, made by adapters where the agent has no word for it. */
export const RUNTIME_ERROR = 'RuntimeError';
export const RUNTIME_STATUS = 'RuntimeStatus';
/** What the session used so far, where an agent says so while it runs. */
export const USAGE_REPORT = 'UsageReport';
