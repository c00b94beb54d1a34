CREATE TABLE "ingest_outcome" (
	"project_id" integer NOT NULL,
	"day" date NOT NULL,
	"outcome" text NOT NULL,
	"code" text DEFAULT '' NOT NULL,
	"slot" smallint NOT NULL,
	"count" bigint NOT NULL,
	"flight" bigint NOT NULL,
	CONSTRAINT "ingest_outcome_pkey" PRIMARY KEY("project_id","day","outcome","code","slot"),
	CONSTRAINT "ingest_outcome_word" CHECK ("ingest_outcome"."outcome" in ('accepted', 'duplicate', 'conflict', 'rejected')),
	CONSTRAINT "ingest_outcome_code_both" CHECK (("ingest_outcome"."outcome" = 'rejected') = ("ingest_outcome"."code" <> '')),
	CONSTRAINT "ingest_outcome_counted" CHECK ("ingest_outcome"."count" > 0)
);
--> statement-breakpoint
CREATE TABLE "quarantined_event" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"sql_state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	CONSTRAINT "quarantined_event_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "quarantined_event_counted" CHECK ("quarantined_event"."count" > 0),
	CONSTRAINT "quarantined_event_seen" CHECK ("quarantined_event"."last_seen_at" >= "quarantined_event"."first_seen_at")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "events_per_second" integer;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "daily_events_max" integer;--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_events_positive" CHECK ("api_key"."events_per_second" > 0);--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_daily_events_positive" CHECK ("project"."daily_events_max" > 0);--> statement-breakpoint
-- As store_new_attempts of 0004, which processes of the release before still call; it also counts what was accepted.
CREATE FUNCTION store_new_attempts(
  p_project int, p_ids uuid[], p_hashes bigint[], p_started float8[], p_attempts int[], p_dimensions bigint[],
  p_received float8[], p_rule_sets text[], p_events text, p_operations text,
  p_grains smallint[], p_buckets float8[], p_rate_dimensions bigint[], p_counts int[],
  p_outcomes text[], p_codes text[], p_outcome_counts int[], p_day date, p_slot smallint, p_flight bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM store_new_attempts(p_project, p_ids, p_hashes, p_started, p_attempts, p_dimensions, p_received, p_rule_sets,
    p_events, p_operations, p_grains, p_buckets, p_rate_dimensions, p_counts);

  -- The rows of a slot are this flight's alone.
  INSERT INTO ingest_outcome (project_id, day, outcome, code, slot, count, flight)
  SELECT p_project, p_day, u.outcome, u.code, p_slot, u.count, p_flight
  FROM unnest(p_outcomes, p_codes, p_outcome_counts) AS u(outcome, code, count)
  ON CONFLICT (project_id, day, outcome, code, slot) DO UPDATE
    SET count = ingest_outcome.count + excluded.count, flight = excluded.flight;
END
$$;
