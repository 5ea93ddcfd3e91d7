// The state that screens show: facts from the runner. Screens never change it.
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
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { AskId, RunnerId, SessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import type { StreamStatus } from '../connection.ts';

export type World = {
	readonly now: number;
	/** The project of the user's folder. */
	readonly project: { readonly path: string };
	readonly connection: StreamStatus;
	/** When sessions and rules were read last. */
	readonly readAt: number;
	/** Of all projects, newest first. */
	readonly sessions: readonly SessionRow[];
	/** Pending asks of all sessions, oldest first. */
	readonly asks: readonly AskDetail[];
	/** Recent decisions of asks that were pending here. */
	readonly decided: ReadonlyMap<AskId, AskRow>;
	/** Asks that we answered; while such an ask is pending, the answer is on its way. */
	readonly answered: ReadonlySet<AskId>;
	readonly rules: readonly Rule[];
	/** The last test of the rules. */
	readonly ruleTest: { readonly body: RuleTestBody; readonly result: RuleTestResult } | null;
	/** The last search over all sessions; hits are null while it runs. `unsearched`: events that were too new to be searched. */
	readonly found: { readonly words: string; readonly hits: readonly SearchHit[] | null; readonly unsearched: number } | null;
	/** Past sessions of this project from the transcripts of agents; null until requested. */
	readonly past: PastSessions | null;
	/** The open session. */
	readonly open: OpenSession | null;
	/** Whether the open session takes prompts, and if not, why; null until the runner has answered. */
	readonly driving: Driving | null;
	/** The models that its agent offers; none if it does not report them. */
	readonly models: readonly string[];
	/** The status of its agent by its own account, and when it was read; null if unknown. */
	readonly agentStatus: { readonly sessionId: SessionId; readonly status: AgentStatus; readonly readAt: number } | null;
	/** The agents that can be started, and the result of the permission hook test of each. */
	readonly agents: readonly { readonly id: string; readonly guard: string }[];
	/** Queued prompts by session. */
	readonly queues: ReadonlyMap<SessionId, readonly QueuedPrompt[]>;
	/** The runners of the hub, by name, and whose sessions are shown; null without a hub. */
	readonly runners: { readonly shown: RunnerId; readonly rows: readonly RunnerRow[] } | null;
	/** Pending requests at other runners of the hub, oldest first. */
	readonly elsewhere: readonly InboxAsk[];
};

export type PastSessions = {
	readonly sessions: readonly PastSession[];
	/** The list is being read. */
	readonly looking: boolean;
	readonly readAt: number;
};

export type OpenSession = {
	readonly id: SessionId;
	/** Set for a read-only past session, which is not on record. */
	readonly past?: PastSession;
	readonly row: SessionRow | undefined;
	/** Folded in place as events arrive. */
	readonly view: SessionView;
	readonly feed: FeedList;
	/** By index in the feed: events above it are of this continued conversation. */
	readonly continued?: ReadonlyMap<number, Continued>;
	/** Progress while the session is read; null when complete. */
	readonly loading: { readonly read: number; readonly total: number } | null;
	/** Text that is being streamed, by actor. */
	readonly streaming: ReadonlyMap<string, string>;
};
