// What a report becomes before it has a place in the feed.
import type { Risk } from '@roost/protocol/ask';
import type { FeedCause, FeedLevel } from '@roost/protocol/feed/base';
import type { FeedData, FeedEventKind } from '@roost/protocol/feed/event';
import type { ActorId, AskId } from '@roost/protocol/ids';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import type { HookName, HookPayload } from '../runtime/normal-form/hook-payloads.ts';
import type { FeedState } from './state.ts';

export type DraftOf<K extends FeedEventKind> = {
	[P in K]: { kind: P; actor_id: ActorId; data: FeedData<P>; level?: FeedLevel; cause?: FeedCause };
}[K];
export type Draft = DraftOf<FeedEventKind>;

/** An ask that is opened on a report. */
/** `risk` is that of the call itself, where the report is shown without its secrets. */
export type AskNote = { id: AskId; reason: string; expiresAt: number; risk?: Risk };

export type MapContext = {
	/** Read, never written: only sealed events change it. */
	state: FeedState;
	event: RuntimeEvent;
	/** The agent the report comes from. */
	actor: ActorId;
	ask?: AskNote | undefined;
	/** How strict Roost is with an agent that it only observes. */
	gate?: GateMode | undefined;
};

/** How one hook becomes events. */
export type HookMapping<Name extends HookName> = {
	/** Work opens a run where there is none; everything else may happen outside. */
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
