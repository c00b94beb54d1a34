-- One flight of attempts whose ids are all new, in one statement and so in one round trip: ledger, rows, marks and
-- rollups, each by a statement of its own that names one project. An id that was taken already is a unique violation,
-- which keeps nothing. Ids, and rates by their key, come sorted: two writers never wait for each other crosswise.
CREATE FUNCTION store_new_attempts(
  p_project int, p_ids uuid[], p_hashes bigint[], p_started float8[], p_attempts int[], p_dimensions bigint[],
  p_received float8[], p_rule_sets text[], p_events text, p_operations text,
  p_grains smallint[], p_buckets float8[], p_rate_dimensions bigint[], p_counts int[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_ledger (project_id, id, content_hash, at)
  SELECT p_project, u.id, u.content_hash, to_timestamp(u.started / 1000)
  FROM unnest(p_ids, p_hashes, p_started) AS u(id, content_hash, started);

  -- OFFSET 0 keeps the planner from reading each document twice.
  INSERT INTO attempt
    (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
  SELECT p_project, to_timestamp(r.started / 1000), r.id, r.event ->> 'operationId', r.attempt,
    r.dimension_id, to_timestamp(r.received / 1000), r.rule_set, r.event
  FROM (
    SELECT u.id, u.started, u.attempt, u.dimension_id, u.received, u.rule_set, u.event::jsonb AS event
    FROM unnest(p_ids, p_started, p_attempts, p_dimensions, p_received, p_rule_sets,
      string_to_array(p_events, E'\x1e')) AS u(id, started, attempt, dimension_id, received, rule_set, event)
    OFFSET 0
  ) AS r;

  INSERT INTO operation_touch (project_id, operation_id)
  SELECT p_project, t.id FROM jsonb_array_elements_text(p_operations::jsonb) AS t(id);

  -- Last, because its rows are the hot ones: they stay locked only until the commit.
  INSERT INTO rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
  SELECT p_project, u.grain, to_timestamp(u.bucket / 1000), u.dimension_id, u.attempts, 0
  FROM unnest(p_grains, p_buckets, p_rate_dimensions, p_counts) AS u(grain, bucket, dimension_id, attempts)
  ON CONFLICT (project_id, grain, at, dimension_id) DO UPDATE
    SET attempts = rate_rollup.attempts + excluded.attempts;
END
$$;
