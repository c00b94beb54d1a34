CREATE TABLE "recount" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"range_from" timestamp with time zone,
	"range_to" timestamp with time zone,
	"drift" integer,
	"examples" jsonb,
	CONSTRAINT "recount_drift_not_negative" CHECK ("recount"."drift" >= 0),
	CONSTRAINT "recount_range_order" CHECK ("recount"."range_from" <= "recount"."range_to"),
	CONSTRAINT "recount_result_both" CHECK (("recount"."finished_at" is null) = ("recount"."range_from" is null) and ("recount"."finished_at" is null) = ("recount"."range_to" is null)
        and ("recount"."finished_at" is null) = ("recount"."drift" is null) and ("recount"."finished_at" is null) = ("recount"."examples" is null))
);
