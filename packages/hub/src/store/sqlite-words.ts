// The full-text index in SQLite: an FTS5 table without the texts, which are in the lines.
import type { DatabaseSync } from 'node:sqlite';
import { lastPosition, toPosition } from '@roost/store/position';
import { toFullTextQuery } from '@roost/store/search-words';
import type { SqliteSql } from './sqlite-sql.ts';
import type { WordIndex } from './word-tables.ts';

export function createSqliteWords(db: DatabaseSync, sql: SqliteSql): WordIndex {
	const moveMark = db.prepare(`
		INSERT INTO indexed (log_no, seq) SELECT log_no, :upTo FROM logs WHERE log_no = :log AND ended_at IS NULL
		ON CONFLICT (log_no) DO UPDATE SET seq = excluded.seq WHERE indexed.seq = :after
	`);
	const insert = db.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)');

	return {
		add: (logNo, { after, upTo, texts }) =>
			sql.writeUnsynced(() => {
				if (Number(moveMark.run({ log: logNo, after, upTo }).changes) === 0) return false;
				for (const { seqNo, title, text } of texts) insert.run(toPosition(logNo, seqNo), title, text);
				return true;
			}),
		async find(logNo, words, limit) {
			const query = toFullTextQuery(words);
			if (query === undefined) return [];
			return await sql.all(FIND, [logNo, query, toPosition(logNo, 0), lastPosition(logNo), limit]);
		},
	};
}

const FIND = `
	SELECT seq, off, line, stream FROM lines JOIN streams USING (stream_no)
	WHERE lines.log_no = $1 AND seq IN (
		SELECT rowid - $3 FROM words WHERE words MATCH $2 AND rowid BETWEEN $3 AND $4 ORDER BY rowid DESC LIMIT $5
	)
	ORDER BY seq DESC
`;
