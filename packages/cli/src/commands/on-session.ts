// One command to a session on record, and the sentence that says what came of it.
import type { ApiClient } from '@roost/client/api-client';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { fail } from '../output/exit.ts';
import { write } from '../output/write.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';
import { loadRecord } from '../runner/open-runner.ts';

type SessionCommand<T> = {
	/** What it is called, where it acts for its user: then it is not for an agent that Roost governs. */
	decides?: string;
	command: (api: ApiClient, session: SessionRow) => Promise<Result<T>>;
	done: (value: T, session: SessionRow) => string;
};

export async function onSession<T>(given: string, options: { json?: boolean }, how: SessionCommand<T>): Promise<void> {
	const found = await findOnRecord(given);
	if (!found.ok) return fail(found.error, options);
	const connected = how.decides === undefined ? await connectOrStart() : await connectOrStartToDecide(how.decides);
	if (!connected.ok) return fail(connected.error, options);
	const done = await how.command(connected.value.api, found.value);
	if (!done.ok) return fail(done.error, options);
	await write(process.stdout, [options.json ? JSON.stringify(done.value) : how.done(done.value, found.value)]);
}

/** Before a runner is started for nothing. */
export async function findOnRecord(given: string): Promise<Result<SessionRow>> {
	return await readOnRecord(given, (_store, session) => ok(session));
}

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
