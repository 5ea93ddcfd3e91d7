// Runs one command on a recorded session and prints its outcome.
import type { ApiClient } from '@roost/client/api-client';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { findSessionAtHub, openRecordAtHub } from '../hub/record-at-hub.ts';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';
import { loadRecord } from '../runner/open-runner.ts';

type SessionCommand<T> = {
	/** Name of the command, if it acts for the user: agents may not run it. */
	decides?: string;
	command: (api: ApiClient, session: SessionRow) => Promise<Result<T>>;
	done: (value: T, session: SessionRow) => string;
};

export async function onSession<T>(given: string, options: { json?: boolean }, how: SessionCommand<T>): Promise<void> {
	const found = unwrap(await findOnRecord(given));
	const connected = unwrap(how.decides === undefined ? await connectOrStart() : await connectOrStartToDecide(how.decides));
	const done = unwrap(await how.command(connected.api, found));
	await print(options, done, [how.done(done, found)]);
}

/** Fails before a runner is started. */
export async function findOnRecord(given: string): Promise<Result<SessionRow>> {
	const atHub = await openRecordAtHub();
	if (!atHub.ok) return atHub;
	if (atHub.value) return await findSessionAtHub(atHub.value, given);
	return await readOnRecord(given, (_store, session) => ok(session));
}

type OpenedRecord = Awaited<ReturnType<typeof loadRecord>>;
type OpenStore = Parameters<OpenedRecord['findSession']>[0];

/** `given`: session ID or a prefix of it. */
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
