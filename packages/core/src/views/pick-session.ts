// The session that a user names: by ID, or by a unique beginning of it.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';

export function pickSession<Row extends Pick<SessionRow, 'id'>>(rows: readonly Row[], given: string): Result<Row> {
	const exact = rows.filter((row) => row.id === given);
	const fitting = exact.length > 0 ? exact : rows.filter((row) => row.id.startsWith(given));
	const [only] = fitting;
	if (only && fitting.length === 1) return ok(only);
	const problem = only
		? `"${given}" matches ${fitting.length} sessions. Give more of the ID.`
		: `Session "${given}" not found. Run "roost sessions --all" to list sessions.`;
	return err(new AppError('not_found', problem));
}
