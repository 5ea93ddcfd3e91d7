// Requests of a user to the runner. The outcome is never a reply: it is the next fact in the world.
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { PastSession } from '@roost/protocol/api/projects';
import type { RuleBody, RuleTestBody } from '@roost/protocol/api/rules';
import type { AskRow } from '@roost/protocol/ask';
import type { PromptId, RuleId, SessionId } from '@roost/protocol/ids';

export type Wish =
	| { type: 'approve'; ask: AskRow; answer: Omit<ApproveBody, 'askId' | 'nonce'> }
	| { type: 'answer'; ask: AskRow; answers: Record<string, string> }
	| { type: 'add-rule'; rule: RuleBody }
	| { type: 'remove-rule'; id: RuleId }
	/** The decision of the rules for a call, without making it. */
	| { type: 'test-rule'; body: RuleTestBody }
	| { type: 'open-session'; id: SessionId }
	/** To the session's agent; queued while it is busy. */
	| { type: 'prompt'; id: SessionId; text: string }
	| { type: 'interrupt'; id: SessionId }
	| { type: 'edit-queued'; id: SessionId; prompt: PromptId; text: string }
	| { type: 'cancel-queued'; id: SessionId; prompt: PromptId }
	/** To another place in the queue, from 0. */
	| { type: 'move-queued'; id: SessionId; prompt: PromptId; to: number }
	/** Into the current run of its agent. */
	| { type: 'send-now'; id: SessionId; prompt: PromptId }
	/** In this project; with the configured agent by default. */
	| { type: 'new-session'; agent?: string; prompt?: string }
	| { type: 'resume-session'; id: SessionId }
	/** A copy up to that message of its agent, else of the whole session. */
	| { type: 'fork-session'; id: SessionId; upTo?: string }
	/** Ends the session and the current run. */
	| { type: 'end-session'; id: SessionId }
	/** Another model or permission mode for its agent. */
	| { type: 'adjust-session'; id: SessionId; model?: string; permissionMode?: string }
	| { type: 'rename-session'; id: SessionId; title: string }
	/** Archived, or restored. */
	| { type: 'archive-session'; id: SessionId; archived: boolean }
	| { type: 'read-past' }
	/** Read-only; nothing is recorded. */
	| { type: 'open-past'; session: PastSession }
	| { type: 'resume-past'; session: PastSession }
	| { type: 'refresh-sessions' }
	/** In all sessions. */
	| { type: 'search'; words: string }
	/** The open session, into a new file. */
	| { type: 'export'; file?: string }
	/** From its terminal back under Roost; the program in the terminal ends. */
	| { type: 'take-back'; id: SessionId };
