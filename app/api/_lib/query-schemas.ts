import { z } from 'zod';
import { CHECK_NAMES } from '@/lib/core/check-name';
import { OPERATION_STATES, SEVERITIES } from '@/lib/core/operation';
import { REVIEW_STATES } from '@/lib/core/review';
import { SCORECARD_GROUPS } from '@/lib/queries/finding-view';
import { COMPLIANCE_GROUPS, RATE_GROUPS } from '@/lib/queries/views';

/** Parameters that single endpoints take beside the common ones; they validate, and the OpenAPI document is made of them. */

export const ratesQuery = z.object({ groupBy: z.enum(RATE_GROUPS) }).partial();

export const complianceQuery = z.object({ groupBy: z.enum(COMPLIANCE_GROUPS) }).partial();

export const operationsQuery = z
  .object({ state: z.array(z.enum(OPERATION_STATES)).max(20), q: z.string().max(200) })
  .partial();

export const findingsQuery = z
  .object({
    check: z.array(z.enum(CHECK_NAMES)).max(50),
    severity: z.array(z.enum(SEVERITIES)).max(10),
    operationId: z.string().min(1).max(200),
  })
  .partial();

export const scorecardQuery = z.object({ by: z.enum(SCORECARD_GROUPS) }).partial();

export const reviewQuery = z
  .object({
    state: z.array(z.enum(REVIEW_STATES)).max(10),
    assignee: z.enum(['mine', 'others', 'nobody']),
    sort: z.enum(['due', 'amount']),
    q: z.string().max(200),
  })
  .partial();
