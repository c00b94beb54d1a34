ALTER TABLE "rate_rollup" DROP CONSTRAINT "rate_rollup_grain_word";--> statement-breakpoint
ALTER TABLE "compliance_rollup" DROP CONSTRAINT "compliance_rollup_grain_word";--> statement-breakpoint
ALTER TABLE "operation_rollup" DROP CONSTRAINT "operation_rollup_grain_word";--> statement-breakpoint
ALTER TABLE "rate_rollup" ADD CONSTRAINT "rate_rollup_grain_word" CHECK ("rate_rollup"."grain" in (-60, -15, 1, 15, 60));--> statement-breakpoint
ALTER TABLE "compliance_rollup" ADD CONSTRAINT "compliance_rollup_grain_word" CHECK ("compliance_rollup"."grain" in (-60, -15, 1, 15, 60));--> statement-breakpoint
ALTER TABLE "operation_rollup" ADD CONSTRAINT "operation_rollup_grain_word" CHECK ("operation_rollup"."grain" in (-60, -15, 1, 15, 60));
--> statement-breakpoint
-- What is stored already: the narrow dimension of every dimension, its id as lib/platform/ids.ts makes it (the first
-- 8 bytes of SHA-256 over the columns as a JSON array), and the narrow rows as sums of the wide ones.
CREATE TEMPORARY TABLE narrow_of ON COMMIT DROP AS
SELECT project_id, id, service, kind, code, action, profile, environment,
       ('x' || encode(substring(sha256(convert_to(
         '[' || to_json(service)::text || ',"",' || to_json(kind)::text || ',' || to_json(code)::text || ','
         || to_json(action)::text || ',' || to_json(profile)::text || ',"","",' || to_json(environment)::text || ']',
         'UTF8')) from 1 for 8), 'hex'))::bit(64)::bigint AS narrow_id
FROM dimension;--> statement-breakpoint
INSERT INTO dimension (project_id, id, service, call, kind, code, action, profile, target, sdk, environment)
SELECT DISTINCT project_id, narrow_id, service, '', kind, code, action, profile, '', '', environment FROM narrow_of
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
SELECT r.project_id, -r.grain, r.at, n.narrow_id, sum(r.attempts), sum(r.tallied)
FROM rate_rollup r JOIN narrow_of n ON n.project_id = r.project_id AND n.id = r.dimension_id
WHERE r.grain IN (15, 60) GROUP BY 1, 2, 3, 4;--> statement-breakpoint
INSERT INTO operation_rollup (project_id, grain, at, dimension_id, state, retried, operations, attempts)
SELECT r.project_id, -r.grain, r.at, n.narrow_id, r.state, r.retried, sum(r.operations), sum(r.attempts)
FROM operation_rollup r JOIN narrow_of n ON n.project_id = r.project_id AND n.id = r.dimension_id
WHERE r.grain IN (15, 60) GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
INSERT INTO compliance_rollup (project_id, grain, at, dimension_id, compliance, pairs, early_ms, over_ms)
SELECT r.project_id, -r.grain, r.at, n.narrow_id, r.compliance, sum(r.pairs), sum(r.early_ms), sum(r.over_ms)
FROM compliance_rollup r JOIN narrow_of n ON n.project_id = r.project_id AND n.id = r.dimension_id
WHERE r.grain IN (15, 60) GROUP BY 1, 2, 3, 4, 5;
