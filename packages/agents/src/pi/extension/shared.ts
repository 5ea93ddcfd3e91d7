// The words that Roost and its extensions inside Pi use between each other.

/** Under this key an extension tells what it knows, as JSON in a status of Pi's. */
export const STATUS_KEY = 'roost';
/** A request for input with this title asks whether a call may be made; its placeholder holds the call, its answer the verdict. */
export const GATE_TITLE = 'roost:gate';
/** Puts the id of a prompt into the conversation, just before the prompt itself. */
export const SENT_COMMAND = 'roost-sent';
export const SENT_ENTRY = 'roost.prompt';
/** Goes on in a copy of the conversation that ends with a certain message. */
export const FORK_COMMAND = 'roost-fork';

/** Holds the command of the guard, as JSON. Without it a Pi that shall be guarded does not start. */
export const GUARD_VARIABLE = 'ROOST_PI_GUARD';

/** What an extension tells by its status. */
export type GateStatus = { type: 'ready'; version: string | undefined; cwd: string } | { type: 'answer'; entryId: string };

/** What it asks. `answer` is the message of the model that holds the call. */
export type GateCall = {
	toolCallId: string;
	toolName: string;
	input: Record<string, unknown>;
	answer: string | undefined;
};

/** What it is told. An input takes the place of the old one. */
export type GateAnswer = { allowed: true; input?: Record<string, unknown> | undefined } | { allowed: false; reason: string };

/** What the extension of an observed Pi is told of a call; where nothing is said, nobody has an opinion. */
export type ReportAnswer =
	| { verdict: 'allow'; input?: Record<string, unknown> }
	| { verdict: 'deny'; reason: string }
	| { verdict: 'ask' };

/** In place, because Pi executes this very object. A handler that tries to change it later fails, and Pi then blocks the call. */
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
