// What the screens show: facts as the runner told them. Nothing in here is decided or changed by a screen.

import type { Continued } from '@roost/core/views/continued';
import type { FeedList } from '@roost/core/views/feed-list';
import type { SessionView } from '@roost/core/views/session-view';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { Driving, QueuedPrompt } from '@roost/protocol/api/driving';
import type { PastSession } from '@roost/protocol/api/projects';
import type { RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import type { SearchHit } from '@roost/protocol/api/search';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId, SessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import type { StreamStatus } from '../connection.ts';

export type World = {
	readonly now: number;
	/** Where the user is. */
	readonly project: { readonly path: string };
	readonly connection: StreamStatus;
	/** When sessions and rules were asked for last. */
	readonly readAt: number;
	/** Of every project, the newest first. */
	readonly sessions: readonly SessionRow[];
	/** What waits for somebody, oldest first, over all sessions. */
	readonly asks: readonly AskDetail[];
	/** What became of asks that waited while we looked: the recent ones. */
	readonly decided: ReadonlyMap<AskId, AskRow>;
	/** Asks we answered ourselves; while such a one still waits, the answer is under way. */
	readonly answered: ReadonlySet<AskId>;
	readonly rules: readonly Rule[];
	/** What the rules said to the last call that was tried. */
	readonly ruleTest: { readonly body: RuleTestBody; readonly result: RuleTestResult } | null;
	/** What was looked for last in every session; no hits while it is under way. `unsearched` events were too new to be looked at. */
	readonly found: { readonly words: string; readonly hits: readonly SearchHit[] | null; readonly unsearched: number } | null;
	/** Past sessions of this project as its agents kept them; null until somebody wants to see them. */
	readonly past: PastSessions | null;
	/** The session that is looked at. */
	readonly open: OpenSession | null;
	/** Whether that one takes prompts, and if not, why; null until the runner has said so. */
	readonly driving: Driving | null;
	/** The models that its agent offers; none where it does not tell. */
	readonly models: readonly string[];
	/** What its agent does by its own account, and when the runner was asked; null where nothing can be known. */
	readonly agentStatus: { readonly sessionId: SessionId; readonly status: AgentStatus; readonly readAt: number } | null;
	/** The agents that can be started, and what was tested of the permission hook of each. */
	readonly agents: readonly { readonly id: string; readonly guard: string }[];
	/** Prompts that wait for their agents, by session. */
	readonly queues: ReadonlyMap<SessionId, readonly QueuedPrompt[]>;
};

export type PastSessions = {
	readonly sessions: readonly PastSession[];
	/** Somebody is looking for them right now. */
	readonly looking: boolean;
	readonly readAt: number;
};

export type OpenSession = {
	readonly id: SessionId;
	/** Where it is a past one that is only read: it is not on record. */
	readonly past?: PastSession;
	readonly row: SessionRow | undefined;
	/** Folded in place as events come. */
	readonly view: SessionView;
	readonly feed: FeedList;
	/** By places in the feed: what stands above is of the conversation that it continues from there. */
	readonly continued?: ReadonlyMap<number, Continued>;
	/** How much of the record has been read, while there is more. */
	readonly loading: { readonly read: number; readonly total: number } | null;
	/** Text that is being written right now, by actor. */
	readonly streaming: ReadonlyMap<string, string>;
};
