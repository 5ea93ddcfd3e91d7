// Drafts: events before they have a place in the feed, and how a hook becomes them.
import type { Risk } from '@roost/protocol/ask';
import type { FeedCause, FeedLevel } from '@roost/protocol/feed/base';
import type { FeedData, FeedEventKind } from '@roost/protocol/feed/event';
import type { ActorId, AskId } from '@roost/protocol/ids';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import type { HookName, HookPayload } from '../runtime/normal-form/hook-payloads.ts';
import { SYSTEM } from './entities.ts';
import type { FeedState } from './state.ts';

export type DraftOf<K extends FeedEventKind> = {
	[P in K]: { kind: P; actor_id: ActorId; data: FeedData<P>; level?: FeedLevel; cause?: FeedCause };
}[K];
export type Draft = DraftOf<FeedEventKind>;

export type MapContext = {
	/** Read, never written: only sealed events change it. */
	state: FeedState;
	event: RuntimeEvent;
	/** The agent the report comes from. */
	actor: ActorId;
	/** The ask that is opened on the report; `risk` is that of the call before redaction. */
	ask?: { id: AskId; reason: string; expiresAt: number; risk?: Risk } | undefined;
	/** The gate of an agent that Roost only observes. */
	gate?: GateMode | undefined;
};

/** How one hook becomes events. */
type HookMapping<Name extends HookName> = {
	/** Work opens a run where there is none; other hooks may come outside a run. */
	isWork: boolean;
	toDrafts: ToDrafts<Name>;
};

export type HookMappings<Names extends HookName> = { [Name in Names]: HookMapping<Name> };

type ToDrafts<Name extends HookName> = (context: MapContext, payload: HookPayload<Name>) => Draft[];

export function lifecycle<Name extends HookName>(toDrafts: ToDrafts<Name>): HookMapping<Name> {
	return { isWork: false, toDrafts };
}

export function work<Name extends HookName>(toDrafts: ToDrafts<Name>): HookMapping<Name> {
	return { isWork: true, toDrafts };
}

export function system<K extends FeedEventKind>(kind: K, data: FeedData<K>, cause?: FeedCause): DraftOf<K> {
	// The compiler does not follow that a generic kind and its data belong together.
	return { kind, actor_id: SYSTEM, data, ...(cause && { cause }) } as DraftOf<K>;
}

/** The named fields of a payload; null becomes undefined. */
export function pick<P extends object, K extends keyof P>(payload: P, ...names: K[]) {
	const entries = names.map((name) => [name, payload[name] ?? undefined]);
	return Object.fromEntries(entries) as { [N in keyof Pick<P, K>]: Exclude<P[N], null> };
}
