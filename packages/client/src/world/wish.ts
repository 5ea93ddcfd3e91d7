// What a user wants done by the runner. The outcome is never the reply to a wish: it is the next fact in the world.
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
	/** What the rules say to a call, without making it. */
	| { type: 'test-rule'; body: RuleTestBody }
	| { type: 'open-session'; id: SessionId }
	/** To the session's agent, now or when it is done with what it does. */
	| { type: 'prompt'; id: SessionId; text: string }
	| { type: 'interrupt'; id: SessionId }
	| { type: 'edit-queued'; id: SessionId; prompt: PromptId; text: string }
	| { type: 'cancel-queued'; id: SessionId; prompt: PromptId }
	/** To another place among those that wait, from 0. */
	| { type: 'move-queued'; id: SessionId; prompt: PromptId; to: number }
	/** Into what its agent is doing. */
	| { type: 'send-now'; id: SessionId; prompt: PromptId }
	/** In this project; of the configured agent where none is named. */
	| { type: 'new-session'; agent?: string; prompt?: string }
	| { type: 'resume-session'; id: SessionId }
	/** A copy that ends with that message of its agent, else a whole one. */
	| { type: 'fork-session'; id: SessionId; upTo?: string }
	/** For good, with what its agent does right now. */
	| { type: 'end-session'; id: SessionId }
	/** Another model or permission mode for its agent. */
	| { type: 'adjust-session'; id: SessionId; model?: string; permissionMode?: string }
	| { type: 'rename-session'; id: SessionId; title: string }
	/** Archived, or restored. */
	| { type: 'archive-session'; id: SessionId; archived: boolean }
	| { type: 'read-past' }
	/** To be read; nothing is recorded by looking. */
	| { type: 'open-past'; session: PastSession }
	| { type: 'resume-past'; session: PastSession }
	| { type: 'refresh-sessions' }
	/** Words in every session. */
	| { type: 'search'; words: string }
	/** The session that is looked at, into a new file. */
	| { type: 'export'; file?: string }
	/** Back from its terminal into Roost's hands; what runs there ends. */
	| { type: 'take-back'; id: SessionId };
