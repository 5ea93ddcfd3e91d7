// Up to where an acknowledgement moves the outbox's mark: never back, and never past what is stored.
import { err, ok, type Result } from '@roost/protocol/result';
import { badAcknowledgement, notStoredYet } from './refusals.ts';
import type { OutboxState } from './store.ts';

export function advanceMark({ flushedSeqNo, lastSeqNo }: OutboxState, upToSeqNo: number): Result<OutboxState> {
	if (!Number.isSafeInteger(upToSeqNo) || upToSeqNo < 0) return err(badAcknowledgement(upToSeqNo));
	if (upToSeqNo > lastSeqNo) return err(notStoredYet(upToSeqNo, lastSeqNo));
	// An acknowledgement that was overtaken by a later one says nothing new.
	return ok({ flushedSeqNo: Math.max(flushedSeqNo, upToSeqNo), lastSeqNo });
}
