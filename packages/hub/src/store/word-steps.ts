// The second version of a hub's tables: a full-text index of the lines, and how far each log is in it.

/**
 * With the tokenizer of a runner's own index, without the texts, which are in the lines. A row id has the log and the seqNo.
 * Nothing is ever removed: an ended log is not searched, and its lines stay too.
 */
export const SQLITE_WORDS_2 = `
	CREATE VIRTUAL TABLE words USING fts5 (
		title, text, content = '', tokenize = 'unicode61 remove_diacritics 2'
	);
	CREATE TABLE indexed (log_no INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
`;

/**
 * `tokens`: those of the title and of the text, each between spaces, the two separated by a newline. `vector`: the different ones,
 * not made by a parser of Postgres, which splits paths and names differently; null where they are too many for a tsvector.
 */
export const POSTGRES_WORDS_2 = `
	CREATE TABLE words (
		log_no INTEGER NOT NULL,
		seq BIGINT NOT NULL,
		tokens TEXT COLLATE "C" NOT NULL,
		vector TSVECTOR,
		PRIMARY KEY (log_no, seq)
	);
	CREATE INDEX words_by_token ON words USING GIN (vector);
	CREATE INDEX words_too_long ON words (log_no, seq) WHERE vector IS NULL;
	CREATE TABLE indexed (log_no INTEGER PRIMARY KEY, seq BIGINT NOT NULL);
	CREATE FUNCTION has_phrases(p_tokens text, p_phrases json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $has$
		SELECT coalesce(bool_and(strpos(p_tokens, value) > 0), true) FROM json_array_elements_text(p_phrases)
	$has$;
	CREATE FUNCTION find_words(p_log integer, p_query tsquery, p_phrases json, p_all json, p_limit bigint)
	RETURNS SETOF bigint LANGUAGE plpgsql STABLE AS $find$
	BEGIN
		-- Planned for each query: rare words by their index, frequent ones from the newest line back.
		RETURN QUERY EXECUTE '
			SELECT seq FROM words
			WHERE log_no = $1 AND (vector @@ $2 OR (vector IS NULL AND has_phrases(tokens, $4))) AND has_phrases(tokens, $3)
			ORDER BY seq DESC LIMIT $5
		' USING p_log, p_query, p_phrases, p_all, p_limit;
	END
	$find$;
`;
