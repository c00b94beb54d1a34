CREATE TABLE "finding" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"check_name" text NOT NULL,
	"severity" text NOT NULL,
	"operation_id" text,
	"attempt" integer,
	"at" timestamp with time zone NOT NULL,
	"dimension_id" bigint,
	"rule_set" text,
	"evidence" jsonb NOT NULL,
	"stream_key" text,
	"subject_kind" text,
	"subject_value" text,
	"window_from" timestamp with time zone,
	"window_to" timestamp with time zone,
	"looked_operations" integer,
	"looked_attempts" integer,
	CONSTRAINT "finding_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "finding_check_form" CHECK ("finding"."check_name" ~ '^[a-z][a-z_]{0,62}$'),
	CONSTRAINT "finding_severity_word" CHECK ("finding"."severity" in ('critical', 'high', 'medium', 'low', 'info')),
	CONSTRAINT "finding_attempt_positive" CHECK ("finding"."attempt" >= 1),
	CONSTRAINT "finding_owner" CHECK ("finding"."operation_id" is not null or "finding"."stream_key" is not null),
	CONSTRAINT "finding_subject_word" CHECK ("finding"."subject_kind" in ('service', 'target', 'credential', 'scope', 'job', 'operation')),
	CONSTRAINT "finding_stream_both" CHECK (("finding"."stream_key" is null) = ("finding"."subject_kind" is null) and ("finding"."stream_key" is null) = ("finding"."subject_value" is null) and ("finding"."stream_key" is null) = ("finding"."window_from" is null) and ("finding"."stream_key" is null) = ("finding"."window_to" is null) and ("finding"."stream_key" is null) = ("finding"."looked_operations" is null) and ("finding"."stream_key" is null) = ("finding"."looked_attempts" is null)),
	CONSTRAINT "finding_window_order" CHECK ("finding"."window_from" <= "finding"."window_to"),
	CONSTRAINT "finding_looked_not_negative" CHECK ("finding"."looked_operations" >= 0 and "finding"."looked_attempts" >= 0)
);
--> statement-breakpoint
CREATE INDEX "finding_at_idx" ON "finding" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE INDEX "finding_check_at_idx" ON "finding" USING btree ("project_id","check_name","at","id");--> statement-breakpoint
CREATE INDEX "finding_operation_idx" ON "finding" USING btree ("project_id","operation_id");--> statement-breakpoint
CREATE INDEX "finding_stream_idx" ON "finding" USING btree ("project_id","stream_key") WHERE "finding"."stream_key" is not null;--> statement-breakpoint
-- Operations that were settled before findings were stored are settled once more.
INSERT INTO "operation_touch" ("project_id", "operation_id") SELECT "project_id", "operation_id" FROM "operation";
