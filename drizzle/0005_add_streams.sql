CREATE TABLE "fact_touch" (
	"project_id" integer NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "fact_touch_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"fact_id" uuid NOT NULL,
	CONSTRAINT "fact_touch_pkey" PRIMARY KEY("project_id","seq")
);
--> statement-breakpoint
CREATE TABLE "finding_operation" (
	"project_id" integer NOT NULL,
	"operation_id" text NOT NULL,
	"finding_id" uuid NOT NULL,
	CONSTRAINT "finding_operation_pkey" PRIMARY KEY("project_id","operation_id","finding_id")
);
--> statement-breakpoint
CREATE TABLE "stream_lane" (
	"project_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"scope" bigint,
	"portal" bigint,
	"target" bigint NOT NULL,
	"credential" bigint,
	"service" bigint NOT NULL,
	CONSTRAINT "stream_lane_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "stream_member" (
	"project_id" integer NOT NULL,
	"stream" text NOT NULL,
	"value" bigint NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"operation_id" text NOT NULL,
	"flags" smallint NOT NULL,
	CONSTRAINT "stream_member_pkey" PRIMARY KEY("project_id","stream","value","slot","operation_id"),
	CONSTRAINT "stream_member_stream_word" CHECK ("stream_member"."stream" in ('lane', 'key', 'fingerprint', 'cause')),
	CONSTRAINT "stream_member_flags_not_negative" CHECK ("stream_member"."flags" >= 0)
);
--> statement-breakpoint
CREATE TABLE "stream_touch" (
	"project_id" integer NOT NULL,
	"stream" text NOT NULL,
	"digest" bigint NOT NULL,
	"value" text NOT NULL,
	"window_from" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stream_touch_pkey" PRIMARY KEY("project_id","stream","digest","window_from"),
	CONSTRAINT "stream_touch_stream_word" CHECK ("stream_touch"."stream" in ('scope', 'portal', 'target', 'service', 'credential', 'key', 'fingerprint', 'job', 'chain'))
);
--> statement-breakpoint
CREATE INDEX "finding_operation_finding_idx" ON "finding_operation" USING btree ("project_id","finding_id");--> statement-breakpoint
CREATE INDEX "stream_lane_scope_idx" ON "stream_lane" USING btree ("project_id","scope");--> statement-breakpoint
CREATE INDEX "stream_lane_portal_idx" ON "stream_lane" USING btree ("project_id","portal");--> statement-breakpoint
CREATE INDEX "stream_lane_target_idx" ON "stream_lane" USING btree ("project_id","target");--> statement-breakpoint
CREATE INDEX "stream_lane_credential_idx" ON "stream_lane" USING btree ("project_id","credential");--> statement-breakpoint
CREATE INDEX "stream_lane_service_idx" ON "stream_lane" USING btree ("project_id","service");--> statement-breakpoint
CREATE INDEX "stream_member_operation_idx" ON "stream_member" USING btree ("project_id","operation_id");--> statement-breakpoint
CREATE INDEX "stream_member_flagged_idx" ON "stream_member" USING btree ("project_id","stream","value","slot") WHERE "stream_member"."flags" <> 0;--> statement-breakpoint
CREATE INDEX "stream_touch_due_idx" ON "stream_touch" USING btree ("project_id","due_at");