CREATE TABLE "retention_mark" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"kept_from" timestamp with time zone NOT NULL,
	"announced_at" timestamp with time zone NOT NULL,
	"remove_before" timestamp with time zone,
	"rollup_from" timestamp with time zone,
	"pruned_at" timestamp with time zone,
	CONSTRAINT "retention_mark_order" CHECK ("retention_mark"."remove_before" <= "retention_mark"."kept_from" and "retention_mark"."rollup_from" <= "retention_mark"."kept_from")
);
--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "carried" jsonb;