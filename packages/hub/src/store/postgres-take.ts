// The function in Postgres that stores a batch of lines with its rows: one round trip, and no transaction that a killed node leaves open.

/** Streams and rows are arrays of JSON, in the order of the columns; lines are one text, which needs no escaping. */
export const TAKE_FUNCTION_1 = `
CREATE FUNCTION take_lines(
	p_log integer, p_expected bigint, p_first bigint, p_lines text, p_streams integer[], p_offsets integer[], p_heads json,
	p_sessions json, p_asks json, p_queues json, p_usage json
) RETURNS TABLE (outcome text, place bigint) LANGUAGE plpgsql AS $take$
DECLARE
	v_runner integer;
	v_last bigint;
	v_end bigint;
	v_differs bigint;
	v_numbers integer[];
BEGIN
	SELECT runner_no, last_seq INTO v_runner, v_last FROM logs WHERE log_no = p_log AND ended_at IS NULL FOR UPDATE;
	IF NOT FOUND THEN RETURN QUERY SELECT 'ended', 0::bigint; RETURN; END IF;
	v_end := p_first + cardinality(p_offsets) - 1;
	-- Checked against the chain up to p_expected. A batch without new lines is only compared.
	IF v_last <> p_expected AND v_end > v_last THEN RETURN QUERY SELECT 'moved', v_last; RETURN; END IF;
	IF p_first <= v_last THEN
		SELECT min(p_first + given.n - 1) INTO v_differs
		FROM string_to_table(p_lines, E'\\n') WITH ORDINALITY AS given(line, n)
		LEFT JOIN lines ON lines.log_no = p_log AND lines.seq = p_first + given.n - 1
		WHERE p_first + given.n - 1 <= v_last AND lines.line IS DISTINCT FROM given.line;
		IF v_differs IS NOT NULL THEN RETURN QUERY SELECT 'differs', v_differs; RETURN; END IF;
	END IF;
	IF v_end <= v_last THEN RETURN QUERY SELECT 'known', v_last; RETURN; END IF;

	UPDATE streams SET last_off = (value ->> 1)::integer, head = value ->> 2
	FROM json_array_elements(p_heads) WHERE streams.log_no = p_log AND streams.stream = value ->> 0;
	INSERT INTO streams (log_no, stream, last_off, head)
	SELECT p_log, value ->> 0, (value ->> 1)::integer, value ->> 2 FROM json_array_elements(p_heads)
	WHERE NOT EXISTS (SELECT 1 FROM streams known WHERE known.log_no = p_log AND known.stream = value ->> 0);
	SELECT array_agg(streams.stream_no ORDER BY given.n) INTO v_numbers
	FROM json_array_elements(p_heads) WITH ORDINALITY AS given(value, n)
	JOIN streams ON streams.log_no = p_log AND streams.stream = given.value ->> 0;

	INSERT INTO lines (log_no, seq, stream_no, off, line)
	SELECT p_log, p_first + given.n - 1, v_numbers[given.stream], given.off, given.line
	FROM ROWS FROM (string_to_table(p_lines, E'\\n'), unnest(p_streams), unnest(p_offsets))
		WITH ORDINALITY AS given(line, stream, off, n)
	WHERE p_first + given.n - 1 > v_last;
	UPDATE logs SET last_seq = v_end WHERE log_no = p_log;

	IF p_sessions IS NOT NULL THEN
		INSERT INTO sessions (runner_no, id, project_id, project_path, status, archived, started_at, document, seq)
		SELECT v_runner, value ->> 0, value ->> 1, value ->> 2, value ->> 3, (value ->> 4)::integer,
			(value ->> 5)::double precision, value ->> 6, v_end
		FROM json_array_elements(p_sessions)
		ON CONFLICT (runner_no, id) DO UPDATE SET
			project_id = excluded.project_id, project_path = excluded.project_path, status = excluded.status,
			archived = excluded.archived, started_at = excluded.started_at, document = excluded.document, seq = excluded.seq
		WHERE sessions.seq < excluded.seq;
	END IF;
	IF p_asks IS NOT NULL THEN
		INSERT INTO asks (runner_no, id, session_id, state, opened_at, document, seq)
		SELECT v_runner, value ->> 0, value ->> 1, value ->> 2, (value ->> 3)::double precision, value ->> 4, v_end
		FROM json_array_elements(p_asks)
		ON CONFLICT (runner_no, id) DO UPDATE SET
			session_id = excluded.session_id, state = excluded.state, opened_at = excluded.opened_at,
			document = excluded.document, seq = excluded.seq
		WHERE asks.seq < excluded.seq;
	END IF;
	IF p_queues IS NOT NULL THEN
		INSERT INTO queues (runner_no, session_id, prompts, document, seq)
		SELECT v_runner, value ->> 0, (value ->> 1)::integer, value ->> 2, v_end FROM json_array_elements(p_queues)
		ON CONFLICT (runner_no, session_id) DO UPDATE SET
			prompts = excluded.prompts, document = excluded.document, seq = excluded.seq
		WHERE queues.seq < excluded.seq;
	END IF;
	IF p_usage IS NOT NULL THEN
		INSERT INTO usage_days (runner_no, session_id, day, model, document, seq)
		SELECT v_runner, value ->> 0, value ->> 1, value ->> 2, value ->> 3, v_end FROM json_array_elements(p_usage)
		ON CONFLICT (runner_no, session_id, day, model) DO UPDATE SET document = excluded.document, seq = excluded.seq
		WHERE usage_days.seq < excluded.seq;
	END IF;
	RETURN QUERY SELECT 'taken', v_end;
END
$take$;
`;
