CREATE TABLE "recompute_job" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"mode" text NOT NULL,
	"state" text NOT NULL,
	"change" jsonb,
	"range_from" timestamp with time zone NOT NULL,
	"range_to" timestamp with time zone NOT NULL,
	"settings_version" integer NOT NULL,
	"position" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"result" jsonb,
	"requested_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "recompute_job_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "recompute_job_mode_word" CHECK ("recompute_job"."mode" in ('preview', 'apply')),
	CONSTRAINT "recompute_job_state_word" CHECK ("recompute_job"."state" in ('queued', 'running', 'done', 'cancelled', 'failed')),
	CONSTRAINT "recompute_job_change_both" CHECK (("recompute_job"."mode" = 'preview') = ("recompute_job"."change" is not null)),
	CONSTRAINT "recompute_job_started_both" CHECK ("recompute_job"."state" <> 'queued' or "recompute_job"."started_at" is null),
	CONSTRAINT "recompute_job_running_both" CHECK ("recompute_job"."state" not in ('running', 'done') or "recompute_job"."started_at" is not null),
	CONSTRAINT "recompute_job_finished_both" CHECK (("recompute_job"."state" in ('done', 'cancelled', 'failed')) = ("recompute_job"."finished_at" is not null)),
	CONSTRAINT "recompute_job_error_both" CHECK (("recompute_job"."state" = 'failed') = ("recompute_job"."error" is not null)),
	CONSTRAINT "recompute_job_counts_not_negative" CHECK ("recompute_job"."done" >= 0 and "recompute_job"."total" >= 0),
	CONSTRAINT "recompute_job_range_order" CHECK ("recompute_job"."range_from" < "recompute_job"."range_to")
);
--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "rule_sets" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "settings_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "settings_changed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "settings_changed_by" text;--> statement-breakpoint
CREATE UNIQUE INDEX "recompute_job_active_key" ON "recompute_job" USING btree ("project_id") WHERE "recompute_job"."state" in ('queued', 'running');--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_settings_changed_both" CHECK (("project"."settings_version" = 1) = ("project"."settings_changed_at" is null)
        and ("project"."settings_changed_at" is null) = ("project"."settings_changed_by" is null));