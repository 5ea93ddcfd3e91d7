// Prevents two writers of one conversation.
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';

/** `session`: the session of this conversation, if recorded. */
type Conversation = { agent: string; nativeId: string; session?: SessionId | undefined };

/** Fails if another process has the conversation open. */
export type RefuseOtherWriter = (conversation: Conversation) => Promise<Result<void>>;

export type OpenIn = (agent: string, nativeId: string) => Promise<readonly number[]>;

export function createRefuseOtherWriter(deps: {
	openIn: OpenIn;
	/** Whether an agent that Roost launched in a terminal reports from that conversation. */
	reports: (nativeId: string) => boolean;
	/** Roost's own processes for a session. */
	ownPids: (session: SessionId) => { driven: readonly number[]; inTerminal: number | undefined };
	ancestorsOf: (pid: number) => readonly number[];
}): RefuseOtherWriter {
	function isOwn(pid: number, own: readonly number[]): boolean {
		if (own.includes(pid)) return true;
		// Roost may have started a wrapper script of the agent.
		return own.length > 0 && deps.ancestorsOf(pid).some((ancestor) => own.includes(ancestor));
	}

	return async (conversation) => {
		const { agent, nativeId, session } = conversation;
		const { driven, inTerminal } = session === undefined ? NONE : deps.ownPids(session);
		const own = inTerminal === undefined ? driven : [...driven, inTerminal];
		for (const pid of await deps.openIn(agent, nativeId)) {
			if (!isOwn(pid, own)) return err(isElsewhere(conversation, `another ${agent}, process ${pid}: end that one first`));
		}
		// The agent in the session's own terminal reports, too.
		const isReported = inTerminal === undefined && deps.reports(nativeId);
		return isReported ? err(isElsewhere(conversation, 'a terminal: end it there first')) : ok(undefined);
	};
}

/** For a recorded session; one without a conversation has no other writer. */
export async function refuseOtherOf(refuse: RefuseOtherWriter, { id, agent, nativeIds }: OnRecord): Promise<Result<void>> {
	const nativeId = nativeIds.at(-1)?.id;
	return nativeId === undefined ? ok(undefined) : await refuse({ agent, nativeId, session: id });
}

type OnRecord = Pick<SessionRow, 'id' | 'agent' | 'nativeIds'>;

const NONE = { driven: [], inTerminal: undefined };

function isElsewhere({ session }: Conversation, where: string): AppError {
	const sentence =
		session === undefined ? `This past session is open in ${where}.` : `This conversation is open in ${where}, or fork it.`;
	return new AppError('conflict', sentence);
}
