// The open tool calls, and how a report without a call id is matched to one.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { ActorId, EventId } from '@roost/protocol/ids';
import { keepNewest } from './keep-newest.ts';
import { isSameJson } from './same-json.ts';

type OpenCall = {
	key: string;
	/** Its `tool.pre`. */
	eventId: EventId;
	toolUseId?: string;
	actorId: ActorId;
	tool: string;
	input: ToolInput;
	/** Permission for it was requested already. */
	requested: boolean;
	/** It started a subagent that was seen. */
	claimed: boolean;
	/** Requests of the agent that end with the call. */
	requestIds: string[];
};

export type CallBook = {
	/** In the order they were announced. */
	open: Map<string, OpenCall>;
	/** Ids of calls that ended recently, so that their batch does not end them again. */
	closed: Set<string>;
	/** By actor: the first call since its last message, until all of its batch is over. */
	unannounced: Map<ActorId, EventId>;
};

const AGENT_TOOLS = new Set(['Agent', 'Task']);

export function createCallBook(): CallBook {
	return { open: new Map(), closed: new Set(), unannounced: new Map() };
}

/** Calls without an id go by the event that announced them. */
export function callKey(toolUseId: string | null | undefined, eventId: EventId | undefined): string {
	return toolUseId ?? eventId ?? '';
}

export function openCall(book: CallBook, call: OpenCall): void {
	book.closed.delete(call.key);
	book.open.set(call.key, call);
	keepNewest(book.open);
	if (!book.unannounced.has(call.actorId)) book.unannounced.set(call.actorId, call.eventId);
}

export function closeCall(book: CallBook, key: string): OpenCall | undefined {
	const call = book.open.get(key);
	book.open.delete(key);
	book.closed.add(key);
	keepNewest(book.closed);
	return call;
}

/** A model writes nothing while its calls run: a message that arrives then was written before them. `batched`: it reports when all are over. */
export function findAnnounced({ open, unannounced }: CallBook, actorId: ActorId, batched: boolean): EventId | undefined {
	const isAtWork = open.values().some((call) => call.actorId === actorId);
	return isAtWork || batched ? unannounced.get(actorId) : undefined;
}

type CallSought = { toolUseId?: string | null; actorId: ActorId; tool: string; input: ToolInput };

/** By id where there is one; else the same actor, tool and input, else the only open call of that tool by that actor. */
export function findCall(book: CallBook, sought: CallSought): OpenCall | undefined {
	if (sought.toolUseId) return book.open.get(sought.toolUseId);
	const candidates = [...book.open.values()].filter((call) => call.actorId === sought.actorId && call.tool === sought.tool);
	const exact = candidates.filter((call) => isSameJson(call.input, sought.input));
	return exact.findLast((call) => !call.requested) ?? exact.at(-1) ?? (candidates.length === 1 ? candidates[0] : undefined);
}

/** The call that started a new subagent; undefined where several might have. */
export function findSpawningCall(book: CallBook): OpenCall | undefined {
	const unclaimed = [...book.open.values()].filter((call) => AGENT_TOOLS.has(call.tool) && !call.claimed);
	const oldest = unclaimed[0];
	return oldest && unclaimed.every((call) => call.actorId === oldest.actorId) ? oldest : undefined;
}
