import { COMPLIANCE_GROUPS, type ComplianceGroup } from '@/lib/queries/views';
import { firstParam, type RawParams } from '@/lib/present/scope';

const DEFAULT_GROUP: ComplianceGroup = 'service';

/** What the table is grouped by, and the word of the URL that could not be used. */
export function readGroup(raw: RawParams): { groupBy: ComplianceGroup; problem: string | null } {
  const asked = firstParam(raw, 'groupBy');
  const known = COMPLIANCE_GROUPS.find((group) => group === asked);
  return { groupBy: known ?? DEFAULT_GROUP, problem: asked !== null && known === undefined ? asked : null };
}

/** For links; the default is left out of the address. */
export function writeGroup(groupBy: ComplianceGroup): { groupBy: string | null } {
  return { groupBy: groupBy === DEFAULT_GROUP ? null : groupBy };
}
