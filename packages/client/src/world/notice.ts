// Short notices for the user, as data: each face has words and keys of its own.
import type { Winner } from '@roost/protocol/api/answers';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export type Notice =
	/** One sentence that says what failed and what to do. */
	| { type: 'failed'; message: string }
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
