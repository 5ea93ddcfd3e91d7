// The protocol between Roost and its extensions inside Pi.

/** Status key under which an extension reports JSON. */
export const STATUS_KEY = 'roost';
/** An input dialog with this title asks about a call: the placeholder is the call, the answer the verdict. */
export const GATE_TITLE = 'roost:gate';
/** Stores the id of a prompt in the conversation, before the prompt itself. */
export const SENT_COMMAND = 'roost-sent';
export const SENT_ENTRY = 'roost.prompt';
/** Continues in a copy of the conversation up to a certain message. */
export const FORK_COMMAND = 'roost-fork';

/** The guard's command as JSON. Without it a guarded Pi does not start. */
export const GUARD_VARIABLE = 'ROOST_PI_GUARD';

export type GateStatus = { type: 'ready'; version: string | undefined; cwd: string } | { type: 'answer'; entryId: string };

/** `answer` is the message of the model that contains the call. */
export type GateCall = {
	toolCallId: string;
	toolName: string;
	input: Record<string, unknown>;
	answer: string | undefined;
};

/** An input replaces the old one. */
export type GateAnswer = { allowed: true; input?: Record<string, unknown> | undefined } | { allowed: false; reason: string };

/** Without output there is no opinion. */
export type ReportAnswer =
	| { verdict: 'allow'; input?: Record<string, unknown> }
	| { verdict: 'deny'; reason: string }
	| { verdict: 'ask' };

/** In place, because Pi executes this object. Frozen: a later change by another extension throws, and Pi blocks the call. */
export function settleInput(input: Record<string, unknown>, approved: Record<string, unknown>): void {
	for (const key of Object.keys(input)) delete input[key];
	Object.assign(input, structuredClone(approved));
	freeze(input);
}

function freeze(value: unknown): void {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
	Object.freeze(value);
	for (const each of Object.values(value)) freeze(each);
}
