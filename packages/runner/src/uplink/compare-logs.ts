// Compares the end of the hub's copy with the own log. A copy that is ahead, or differs, shows that the log was restored from an older state.
import type { HubFrame } from '@roost/protocol/hub/link-frames';
import type { LogCursor } from '@roost/protocol/log-cursor';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';

type Registered = Pick<Extract<HubFrame, { type: 'runner.registered' }>, 'epoch' | 'hubSeqNo' | 'at'>;

/** Undefined where the hub's copy is the beginning of this log; else why it is not. `own`: the end of the log. */
export function whyRolledBack(
	store: Pick<Store, 'read' | 'hashAt'>,
	own: LogCursor,
	{ epoch, hubSeqNo, at }: Registered,
): Result<string | undefined> {
	if (epoch > own.epoch) return ok(`The hub knows epoch ${epoch} of this record, which has only epoch ${own.epoch}.`);
	if (hubSeqNo > own.seqNo) return ok(`The hub has ${hubSeqNo} events of this record, which has only ${own.seqNo}.`);
	if (hubSeqNo === 0) return ok(undefined);
	const line = store.read({ runnerId: own.runnerId, afterSeqNo: hubSeqNo - 1, limit: 1 });
	if (!line.ok) return line;
	const [entry] = line.value;
	const hash = at === null ? ok(undefined) : store.hashAt(at.stream, at.offset);
	if (!hash.ok) return hash;
	const isSame = entry !== undefined && entry.stream === at?.stream && entry.offset === at.offset && hash.value === at.hash;
	return ok(isSame ? undefined : `Event ${hubSeqNo} of this record differs from the hub's copy.`);
}
