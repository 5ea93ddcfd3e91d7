// A session as JSON lines: a header with the head of its chain, then every stored line, so that a copy can be verified.
import type { SessionProof } from '@roost/protocol/api/session-proof';
import { AppError } from '@roost/protocol/app-error';
import { sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import { readPages } from './rebuild.ts';

/** Lines may be long, and a reader may be slow. */
const PAGE = 100;

/** Refused if the record of the session is not intact. A failure is the last page. */
export function exportSession(
	store: Pick<Store, 'read'>,
	row: SessionRow,
	{ intact, events, head }: Pick<SessionProof, 'intact' | 'events' | 'head'>,
): Result<Iterable<Result<string[]>>> {
	if (!intact) return err(new AppError('corrupt', `The record of ${row.id} is not intact: run "roost verify ${row.id}".`));
	return ok(toLines(store, row, events, head));
}

/** Events recorded during the export come after the head, so they are left out. */
function* toLines(store: Pick<Store, 'read'>, session: SessionRow, events: number, head: string): Generator<Result<string[]>> {
	yield ok([JSON.stringify({ export: 1, session, events, head })]);
	let left = events;
	for (const page of readPages(store, sessionStream(session.id), 0, PAGE)) {
		if (!page.ok) return yield page;
		if (left === 0 || page.value.length === 0) return;
		const lines = page.value.slice(0, left).map(({ line }) => line);
		left -= lines.length;
		yield ok(lines);
	}
}
