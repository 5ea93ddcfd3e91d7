// Stores lines and their rows in Postgres, with one call of its function.
import { AppError } from '@roost/protocol/app-error';
import { numberOf, textOf } from '@roost/store/row-values';
import { createLogState } from './log-state.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { CheckedLines, LogWriter, Written } from './take-batch.ts';

const TAKE = `
	SELECT outcome, place FROM take_lines(
		$1, $2, $3, $4, CAST($5 AS integer[]), CAST($6 AS integer[]), CAST($7 AS json),
		CAST($8 AS json), CAST($9 AS json), CAST($10 AS json), CAST($11 AS json)
	)
`;

export function createPostgresLogWriter(sql: Sql): LogWriter {
	return {
		state: createLogState(sql),
		async write(checked) {
			const [row = {}] = await sql.all(TAKE, toArguments(checked));
			return toWritten(textOf(row, 'outcome'), numberOf(row, 'place'));
		},
	};
}

function toArguments({ logNo, expected, lines, heads, rows }: CheckedLines): SqlValue[] {
	const places = new Map([...heads.keys()].map((stream, at) => [stream, at + 1]));
	return [
		logNo,
		expected,
		lines[0]?.seqNo ?? 0,
		lines.map(({ line }) => line).join('\n'),
		toArray(lines.map(({ stream }) => places.get(stream) ?? 0)),
		toArray(lines.map(({ offset }) => offset)),
		JSON.stringify([...heads].map(([stream, { offset, hash }]) => [stream, offset, hash])),
		toJson(rows.sessions),
		toJson(rows.asks),
		toJson(rows.queues),
		toJson(rows.usage),
	];
}

/** The driver would put each number in quotes. */
function toArray(numbers: readonly number[]): string {
	return `{${numbers.join(',')}}`;
}

function toJson(rows: readonly SqlValue[][]): string | null {
	return rows.length === 0 ? null : JSON.stringify(rows);
}

function toWritten(outcome: string, place: number): Written {
	if (outcome === 'differs') return { outcome, seqNo: place };
	if (outcome === 'taken' || outcome === 'known' || outcome === 'ended' || outcome === 'moved') return { outcome };
	throw new AppError('corrupt', 'The function take_lines of the database is of another program. Use an empty database.');
}
