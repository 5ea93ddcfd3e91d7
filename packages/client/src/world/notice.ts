// Short notices for the user, as data: each face has words and keys of its own.
import type { Winner } from '@roost/protocol/api/answers';
import type { QueuedCommand } from '@roost/protocol/hub/runners';
import type { AskId, SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export type Notice =
	/** One sentence that says what failed and what to do. */
	| { type: 'failed'; message: string }
	/** A command for a runner that is away: it is delivered when the runner is back, until then. */
	| { type: 'command-queued'; commandId: string; until: number; ask?: AskId }
	/** The text of the prompt is not lost. */
	| { type: 'prompt-failed'; message: string }
	| { type: 'prompt-queued' }
	/** Another answer came first. */
	| { type: 'answered-before'; by: Winner }
	| { type: 'archived'; id: SessionId; archived: boolean }
	/** It is out of its terminal and takes prompts again. */
	| { type: 'taken-back'; id: SessionId }
	| { type: 'session-began'; session: SessionRow }
	| { type: 'reconnected'; afterMs: number }
	| { type: 'exported'; message: string }
	| { type: 'nothing-to-export'; isPast: boolean };

export function queuedNotice({ commandId, expiresAt }: QueuedCommand, ask?: AskId): Notice {
	return { type: 'command-queued', commandId, until: expiresAt, ...(ask === undefined ? {} : { ask }) };
}
