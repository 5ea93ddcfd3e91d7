// The state that the page shows: whether this browser is logged in, and facts from the runner.
import type { World } from '@roost/client/world/world';
import type { AskId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import type { Away } from './away.ts';
import type { Offline } from './offline.ts';

type Shared = 'now' | 'connection' | 'asks' | 'decided' | 'answered' | 'rules' | 'driving' | 'queues' | 'agents' | 'models';

export type PageWorld = Pick<World, Shared> & {
	readonly sessions: readonly SessionTile[];
	/** Sessions and requests were read once; before, an empty list says nothing. */
	readonly isRead: boolean;
	readonly login: Login;
	/** Null unless the runner cannot be reached: facts are old then, and nothing can be answered. */
	readonly offline: Offline | null;
	/** Null unless the runner is not connected to its hub: what is on record can be read, and commands are queued. */
	readonly away: Away | null;
	/** Answers that are queued at the hub, and until when. */
	readonly queuedAnswers: ReadonlyMap<AskId, QueuedAnswer>;
	/** Until when the last other command is queued, unless the user dismissed that. */
	readonly queuedUntil: number | null;
	/** The last failure that the user should know of. */
	readonly problem: string | null;
};

/** `out`: why this browser is not logged in. */
export type Login = { readonly state: 'starting' } | { readonly state: 'in' } | { readonly state: 'out'; readonly why: string };

export type QueuedAnswer = { readonly commandId: string; readonly until: number };
