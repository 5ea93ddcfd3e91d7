// Something read of one session on record, which needs no runner.
import type { Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { loadRecord } from '../runner/open-runner.ts';

type OpenedRecord = Awaited<ReturnType<typeof loadRecord>>;
type OpenStore = Parameters<OpenedRecord['findSession']>[0];

/** `given`: its id, or the beginning of it. */
export async function readOnRecord<T>(
	given: string,
	read: (store: OpenStore, session: SessionRow, record: OpenedRecord) => Result<T>,
): Promise<Result<T>> {
	const record = await loadRecord();
	const opened = record.openRecord(process.env);
	if (!opened.ok) return opened;
	await using store = opened.value;
	const found = record.findSession(store, given);
	return found.ok ? read(store, found.value, record) : found;
}
