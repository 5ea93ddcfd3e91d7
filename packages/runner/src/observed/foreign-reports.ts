// Reports that name a session of another agent: kept in the reporter's own session, without what would tie it to the other one.
import type { Fact } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';

export type ForeignReports = {
	/** The report as one of its own session: no native id, no transcript to read. */
	withoutIdentity(event: RuntimeEvent): RuntimeEvent;
	/** The fact to record; null if it was recorded for this native id before. */
	toFact(event: RuntimeEvent, refused: string): Fact | null;
};

/** An agent that names ever new ids is not recorded for each of them. */
const MOST_SAID = 100;
const SHOWN_CHARACTERS = 80;

export function createForeignReports(): ForeignReports {
	const reply = new Set<string>();
	return {
		withoutIdentity: (event) => ({ ...event, sessionId: '', context: { ...event.context, transcriptPath: '' } }),
		toFact({ hookName, sessionId }, refused) {
			if (reply.has(sessionId) || reply.size >= MOST_SAID) return null;
			reply.add(sessionId);
			const message = `The agent sent ${cut(hookName)} for native session ${cut(sessionId)}, but ${refused}. Its reports are recorded here instead.`;
			return { kind: 'runtime.error', data: { code: 'foreign_session', message } };
		},
	};
}

function cut(text: string): string {
	return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
