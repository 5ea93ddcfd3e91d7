// roost sessions rename, archive: what people do to a session in their lists.
import type { ShelfApi } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { renameBody } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { connectOrStart } from '../connect.ts';
import { loadRecord } from '../open-runner.ts';
import { calledAs } from '../output/called-as.ts';
import { fail } from '../output/exit.ts';

type Options = { json?: boolean };

export async function renameSession(given: string, words: readonly string[], options: Options): Promise<void> {
	const title = renameBody.shape.title.safeParse(words.join(' ').trim());
	if (!title.success) return fail(new AppError('usage', 'A title has some words, and at most 200 characters.'), options);
	await change(given, options, {
		command: (shelf, { id }) => shelf.rename(crypto.randomUUID(), id, title.data),
		done: ({ id }) => `${id} is now called "${sanitiseLine(title.data)}".`,
	});
}

export async function archiveSession(given: string, options: Options & { undo?: boolean }): Promise<void> {
	const archived = options.undo !== true;
	await change(given, options, {
		command: (shelf, { id }) => shelf.archive(crypto.randomUUID(), id, archived),
		done: ({ id }) =>
			archived
				? `${id} is put away: "${calledAs()} sessions --archived" shows it, "${calledAs()} sessions archive ${id} --undo" takes it out.`
				: `${id} is back among the sessions.`,
	});
}

type Change = {
	command: (shelf: ShelfApi, session: SessionRow) => Promise<Result<unknown>>;
	done: (session: SessionRow) => string;
};

async function change(given: string, options: Options, { command, done }: Change): Promise<void> {
	const found = await findOnRecord(given);
	if (!found.ok) return fail(found.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const changed = await command(connected.value.api.shelf, found.value);
	if (!changed.ok) return fail(changed.error, options);
	process.stdout.write(options.json ? `${JSON.stringify({ sessionId: found.value.id })}\n` : `${done(found.value)}\n`);
}

/** Before a runner is started for nothing. */
async function findOnRecord(given: string): Promise<Result<SessionRow>> {
	const { openRecord, findSession } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return record;
	await using store = record.value;
	return findSession(store, given);
}
