CREATE TABLE "api_key" (
	"project_id" integer NOT NULL,
	"key_id" text NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoked_by" text,
	CONSTRAINT "api_key_pkey" PRIMARY KEY("project_id","key_id"),
	CONSTRAINT "api_key_scope_word" CHECK ("api_key"."scope" in ('ingest', 'read', 'operate')),
	CONSTRAINT "api_key_revoked_both" CHECK (("api_key"."revoked_at" is null) = ("api_key"."revoked_by" is null))
);
--> statement-breakpoint
CREATE TABLE "app_account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_rate_limit" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"installation_owner" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_failure" (
	"account_hash" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"locked_until" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member" (
	"project_id" integer NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_pkey" PRIMARY KEY("project_id","user_id"),
	CONSTRAINT "member_role_word" CHECK ("member"."role" in ('viewer', 'operator', 'lead', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "setup_token" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "attempt" (
	"project_id" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"dimension_id" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"rule_set" text NOT NULL,
	"event" jsonb NOT NULL,
	CONSTRAINT "attempt_pkey" PRIMARY KEY("project_id","started_at","id"),
	CONSTRAINT "attempt_number_positive" CHECK ("attempt"."attempt" >= 1)
) PARTITION BY RANGE ("started_at");
--> statement-breakpoint
CREATE TABLE "dimension" (
	"project_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"service" text NOT NULL,
	"call" text NOT NULL,
	"kind" text NOT NULL,
	"code" text NOT NULL,
	"action" text NOT NULL,
	"profile" text NOT NULL,
	"target" text NOT NULL,
	"sdk" text NOT NULL,
	"environment" text NOT NULL,
	CONSTRAINT "dimension_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "dimension_kind_word" CHECK ("dimension"."kind" in ('read', 'write')),
	CONSTRAINT "dimension_profile_word" CHECK ("dimension"."profile" in ('vibecode', 'quillhub', 'http', 'bitrix_rest')),
	CONSTRAINT "dimension_action_word" CHECK ("dimension"."action" in ('none', 'retry_with_limit', 'fix_before_retry', 'state_verification_required', 'do_not_retry', 'not_applicable')),
	CONSTRAINT "dimension_success_both" CHECK (("dimension"."action" = 'none') = ("dimension"."code" = 'OK'))
);
--> statement-breakpoint
CREATE TABLE "event_ledger" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"content_hash" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "event_ledger_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "fact" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"operation_id" text,
	"at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"dimension_id" bigint,
	"successes" integer,
	"event" jsonb NOT NULL,
	CONSTRAINT "fact_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "fact_type_word" CHECK ("fact"."type" in ('attempt_started', 'readback', 'auth_refresh', 'cause_fixed', 'job_result', 'closed', 'webhook_delivery', 'tally')),
	CONSTRAINT "fact_tally_both" CHECK (("fact"."type" = 'tally') = ("fact"."successes" is not null and "fact"."dimension_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "operation_touch" (
	"project_id" integer NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "operation_touch_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operation_id" text NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operation_touch_pkey" PRIMARY KEY("project_id","seq")
);
--> statement-breakpoint
CREATE TABLE "rate_rollup" (
	"project_id" integer NOT NULL,
	"grain" smallint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension_id" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"tallied" integer NOT NULL,
	CONSTRAINT "rate_rollup_pkey" PRIMARY KEY("project_id","grain","at","dimension_id"),
	CONSTRAINT "rate_rollup_grain_word" CHECK ("rate_rollup"."grain" in (1, 15, 60)),
	CONSTRAINT "rate_rollup_not_negative" CHECK ("rate_rollup"."attempts" >= 0 and "rate_rollup"."tallied" >= 0)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "settle_turn" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"settled_at" timestamp with time zone,
	"paused" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_rollup" (
	"project_id" integer NOT NULL,
	"grain" smallint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension_id" bigint NOT NULL,
	"compliance" text NOT NULL,
	"pairs" integer NOT NULL,
	"early_ms" bigint NOT NULL,
	"over_ms" bigint NOT NULL,
	CONSTRAINT "compliance_rollup_pkey" PRIMARY KEY("project_id","grain","at","dimension_id","compliance"),
	CONSTRAINT "compliance_rollup_grain_word" CHECK ("compliance_rollup"."grain" in (1, 15, 60)),
	CONSTRAINT "compliance_rollup_not_negative" CHECK ("compliance_rollup"."pairs" >= 0 and "compliance_rollup"."early_ms" >= 0 and "compliance_rollup"."over_ms" >= 0)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "operation" (
	"project_id" integer NOT NULL,
	"operation_id" text NOT NULL,
	"state" text NOT NULL,
	"possible_effects" integer NOT NULL,
	"attempts" integer NOT NULL,
	"retried" boolean NOT NULL,
	"dimension_id" bigint NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"over" boolean NOT NULL,
	"changes_at" timestamp with time zone,
	"settled_at" timestamp with time zone NOT NULL,
	CONSTRAINT "operation_pkey" PRIMARY KEY("project_id","operation_id"),
	CONSTRAINT "operation_state_word" CHECK ("operation"."state" in ('in_progress', 'succeeded', 'succeeded_with_possible_duplicates', 'failed', 'unresolved', 'partially_applied', 'cancelled')),
	CONSTRAINT "operation_counts_not_negative" CHECK ("operation"."possible_effects" >= 0 and "operation"."attempts" >= 1)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "operation_ref" (
	"project_id" integer NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"operation_id" text NOT NULL,
	CONSTRAINT "operation_ref_pkey" PRIMARY KEY("project_id","kind","value","at","operation_id"),
	CONSTRAINT "operation_ref_kind_word" CHECK ("operation_ref"."kind" in ('code', 'request_id', 'business_key', 'job_id', 'entity_id', 'parent'))
);
--> statement-breakpoint
CREATE TABLE "operation_rollup" (
	"project_id" integer NOT NULL,
	"grain" smallint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension_id" bigint NOT NULL,
	"state" text NOT NULL,
	"retried" boolean NOT NULL,
	"operations" integer NOT NULL,
	"attempts" integer NOT NULL,
	CONSTRAINT "operation_rollup_pkey" PRIMARY KEY("project_id","grain","at","dimension_id","state","retried"),
	CONSTRAINT "operation_rollup_grain_word" CHECK ("operation_rollup"."grain" in (1, 15, 60)),
	CONSTRAINT "operation_rollup_state_word" CHECK ("operation_rollup"."state" in ('in_progress', 'succeeded', 'succeeded_with_possible_duplicates', 'failed', 'unresolved', 'partially_applied', 'cancelled')),
	CONSTRAINT "operation_rollup_not_negative" CHECK ("operation_rollup"."operations" >= 0 and "operation_rollup"."attempts" >= 0)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "retry_pair" (
	"project_id" integer NOT NULL,
	"operation_id" text NOT NULL,
	"attempt_event_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension_id" bigint NOT NULL,
	"compliance" text NOT NULL,
	"asked_ms" bigint,
	"gap_ms" bigint,
	"early_ms" bigint NOT NULL,
	"over_ms" bigint NOT NULL,
	"strict" boolean NOT NULL,
	"approx" boolean NOT NULL,
	CONSTRAINT "retry_pair_pkey" PRIMARY KEY("project_id","operation_id","attempt_event_id"),
	CONSTRAINT "retry_pair_compliance_word" CHECK ("retry_pair"."compliance" in ('honoured', 'early', 'early_capped', 'pending', 'no_retry_observed', 'gave_up_wait_too_long', 'unusable_header', 'not_judged')),
	CONSTRAINT "retry_pair_not_negative" CHECK ("retry_pair"."early_ms" >= 0 and "retry_pair"."over_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "project" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"default_profile" text NOT NULL,
	"targets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"hash_secret" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_slug_form" CHECK ("project"."slug" ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
	CONSTRAINT "project_name_length" CHECK (length("project"."name") between 1 and 100),
	CONSTRAINT "project_default_profile_word" CHECK ("project"."default_profile" in ('vibecode', 'quillhub', 'http', 'bitrix_rest'))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"request_id" text,
	"detail" jsonb,
	CONSTRAINT "audit_log_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "audit_log_actor_word" CHECK ("audit_log"."actor_type" in ('user', 'key', 'system'))
);
--> statement-breakpoint
CREATE TABLE "review_event" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"old_value" jsonb,
	"new_value" jsonb,
	"note" text,
	CONSTRAINT "review_event_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "review_event_actor_word" CHECK ("review_event"."actor_type" in ('user', 'key', 'system')),
	CONSTRAINT "review_event_action_word" CHECK ("review_event"."action" in ('opened', 'evidence', 'due', 'claimed', 'renewed', 'lease_expired', 'released', 'assigned', 'noted', 'snoozed', 'woken', 'resolved', 'settled', 'reopened'))
);
--> statement-breakpoint
CREATE TABLE "review_item" (
	"project_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" text NOT NULL,
	"episode" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"cause" text NOT NULL,
	"dimension_id" bigint NOT NULL,
	"doubt_since" timestamp with time zone NOT NULL,
	"doubt_until" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"assignee_type" text,
	"assignee_id" text,
	"assignee_name" text,
	"lease_until" timestamp with time zone,
	"snoozed_until" timestamp with time zone,
	"resolution" text,
	"resolution_note" text,
	"resolved_at" timestamp with time zone,
	"resolved_by" text,
	"amount_value" numeric,
	"amount_currency" text,
	"suggestion" jsonb,
	"facts" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_item_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "review_item_state_word" CHECK ("review_item"."state" in ('waiting', 'open', 'claimed', 'snoozed', 'resolved')),
	CONSTRAINT "review_item_cause_word" CHECK ("review_item"."cause" in ('unknown_outcome', 'possible_duplicates')),
	CONSTRAINT "review_item_assignee_word" CHECK ("review_item"."assignee_type" in ('user', 'key', 'system')),
	CONSTRAINT "review_item_assignee_both" CHECK (("review_item"."assignee_type" is null) = ("review_item"."assignee_id" is null) and ("review_item"."assignee_id" is null) = ("review_item"."assignee_name" is null)),
	CONSTRAINT "review_item_claim_both" CHECK (("review_item"."state" = 'claimed') = ("review_item"."lease_until" is not null) and ("review_item"."state" <> 'claimed' or "review_item"."assignee_id" is not null)),
	CONSTRAINT "review_item_snooze_both" CHECK (("review_item"."state" = 'snoozed') = ("review_item"."snoozed_until" is not null)),
	CONSTRAINT "review_item_resolved_both" CHECK (("review_item"."state" = 'resolved') = ("review_item"."resolution" is not null) and ("review_item"."resolution" is null) = ("review_item"."resolved_at" is null) and ("review_item"."resolved_at" is null) = ("review_item"."resolved_by" is null)),
	CONSTRAINT "review_item_resolution_word" CHECK ("review_item"."resolution" in ('applied_once', 'not_applied', 'applied_more_than_once', 'partly_applied', 'cannot_be_known')),
	CONSTRAINT "review_item_amount_both" CHECK (("review_item"."amount_value" is null) = ("review_item"."amount_currency" is null))
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_account" ADD CONSTRAINT "app_account_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_session" ADD CONSTRAINT "app_session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_key_id_key" ON "api_key" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "api_key_project_created_idx" ON "api_key" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "app_account_provider_key" ON "app_account" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "app_account_user_idx" ON "app_account" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_rate_limit_key_key" ON "app_rate_limit" USING btree ("key");--> statement-breakpoint
CREATE UNIQUE INDEX "app_session_token_key" ON "app_session" USING btree ("token");--> statement-breakpoint
CREATE INDEX "app_session_user_idx" ON "app_session" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_email_key" ON "app_user" USING btree ("email");--> statement-breakpoint
CREATE INDEX "app_verification_identifier_idx" ON "app_verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "member_user_idx" ON "member" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "attempt_operation_idx" ON "attempt" USING btree ("project_id","operation_id");--> statement-breakpoint
CREATE INDEX "fact_operation_idx" ON "fact" USING btree ("project_id","operation_id");--> statement-breakpoint
CREATE INDEX "fact_type_at_idx" ON "fact" USING btree ("project_id","type","at");--> statement-breakpoint
CREATE INDEX "operation_first_idx" ON "operation" USING btree ("project_id","first_at","operation_id");--> statement-breakpoint
CREATE INDEX "operation_state_first_idx" ON "operation" USING btree ("project_id","state","first_at","operation_id");--> statement-breakpoint
CREATE INDEX "operation_changes_idx" ON "operation" USING btree ("project_id","changes_at") WHERE "operation"."changes_at" is not null;--> statement-breakpoint
CREATE INDEX "operation_ref_operation_idx" ON "operation_ref" USING btree ("project_id","operation_id");--> statement-breakpoint
CREATE INDEX "retry_pair_compliance_idx" ON "retry_pair" USING btree ("project_id","compliance","at");--> statement-breakpoint
CREATE UNIQUE INDEX "project_slug_key" ON "project" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "audit_log_at_idx" ON "audit_log" USING btree ("project_id","at");--> statement-breakpoint
CREATE INDEX "review_event_item_idx" ON "review_event" USING btree ("project_id","item_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "review_item_episode_key" ON "review_item" USING btree ("project_id","operation_id","episode");--> statement-breakpoint
CREATE INDEX "review_item_state_due_idx" ON "review_item" USING btree ("project_id","state","due_at","id");