// Runs one command on a recorded session and prints its outcome.
import type { ApiClient } from '@roost/client/api-client';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { openReader, type RecordReader } from '../record/reader.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

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
	return await readOnRecord(given, async (_record, session) => ok(session));
}

/** `given`: session ID or a prefix of it. */
export async function readOnRecord<T>(
	given: string,
	read: (record: RecordReader, session: SessionRow) => Promise<Result<T>>,
): Promise<Result<T>> {
	const opened = await openReader();
	if (!opened.ok) return opened;
	await using record = opened.value;
	const found = await record.find(given);
	return found.ok ? await read(record, found.value) : found;
}
