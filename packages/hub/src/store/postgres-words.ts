// The full-text index in Postgres: tsvectors of tokens that SQLite made, and the tokens in order, which decide phrases.

import { numberOf } from '@roost/store/row-values';
import type { IndexedText } from './hub-store.ts';
import type { Sql } from './sql.ts';
import type { WordIndex } from './word-tables.ts';
import { type Phrase, toPhrases, toTokens } from './word-tokens.ts';

/** In characters; a lexeme has at most 2046 bytes. */
const LONGEST_LEXEME = 200;
/** Of all lexemes of a tsvector, which has room for a megabyte. */
const MOST_BYTES = 500_000;

export function createPostgresWords(sql: Sql): WordIndex {
	return {
		async add(logNo, { after, upTo, texts }) {
			const [row] = await sql.all(ADD, [logNo, after, upTo, JSON.stringify(toRows(texts))]);
			return row !== undefined && numberOf(row, 'moved') > 0;
		},
		async find(logNo, words, limit) {
			const phrases = toPhrases(words);
			if (phrases.length === 0) return [];
			const undecided = phrases.filter(({ tokens }) => tokens.length > 1 || tokens.some((token) => toLexeme(token) !== token));
			return await sql.all(FIND, [logNo, toQuery(phrases), toTexts(undecided), toTexts(phrases), limit]);
		},
	};
}

/** One statement, so that a killed node leaves no open transaction. */
const ADD = `
	WITH moved AS (
		INSERT INTO indexed (log_no, seq) SELECT log_no, $3 FROM logs WHERE log_no = $1 AND ended_at IS NULL
		ON CONFLICT (log_no) DO UPDATE SET seq = excluded.seq WHERE indexed.seq = $2
		RETURNING log_no
	), added AS (
		INSERT INTO words (log_no, seq, tokens, vector)
		SELECT log_no, (value ->> 0)::bigint, value ->> 1, (value ->> 2)::tsvector FROM moved CROSS JOIN json_array_elements($4)
	)
	SELECT count(*) AS moved FROM moved
`;

const FIND = `
	SELECT lines.seq, off, line, stream FROM find_words($1, $2::tsquery, $3, $4, $5) AS found (seq)
	JOIN lines ON lines.log_no = $1 AND lines.seq = found.seq JOIN streams USING (stream_no)
	ORDER BY lines.seq DESC
`;

function toRows(texts: readonly IndexedText[]): [seqNo: number, tokens: string, vector: string | null][] {
	const tokens = toTokens(texts);
	return texts.map(({ seqNo }, at) => {
		const { title = [], text = [] } = tokens[at] ?? {};
		return [seqNo, ` ${title.join(' ')} \n ${text.join(' ')} `, toVector([...title, ...text])];
	});
}

/** A token has letters and digits only. */
function toVector(tokens: readonly string[]): string | null {
	const lexemes = [...new Set(tokens.map(toLexeme))].join("' '");
	if (Buffer.byteLength(lexemes) > MOST_BYTES) return null;
	return lexemes === '' ? '' : `'${lexemes}'`;
}

function toLexeme(token: string): string {
	return token.length <= LONGEST_LEXEME ? token : Array.from(token).slice(0, LONGEST_LEXEME).join('');
}

function toQuery(phrases: readonly Phrase[]): string {
	const lexemes = phrases.flatMap(({ tokens, isPrefix }) =>
		tokens.map((token, at) => `'${toLexeme(token)}'${isPrefix && at === tokens.length - 1 ? ':*' : ''}`),
	);
	return lexemes.join(' & ');
}

/** As they are found in the tokens of a row. */
function toTexts(phrases: readonly Phrase[]): string {
	return JSON.stringify(phrases.map(({ tokens, isPrefix }) => ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`));
}
