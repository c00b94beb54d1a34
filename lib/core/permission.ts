/** Who may do what inside one project. Roles include each other: viewer < operator < lead < owner. */

export const ROLES = ['viewer', 'operator', 'lead', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  'read',
  'export',
  'review.work',
  'review.release_other',
  'review.bulk',
  'rules.manage',
  'key.read',
  'key.manage',
  'member.read',
  'member.manage',
  'settings.manage',
  'audit.read',
  'project.create',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The least role that holds the permission. */
const PERMISSION_ROLE: Readonly<Record<Permission, Role>> = {
  read: 'viewer',
  export: 'viewer',
  'review.work': 'operator',
  'review.release_other': 'lead',
  'review.bulk': 'lead',
  'rules.manage': 'lead',
  'key.read': 'lead',
  'key.manage': 'owner',
  'member.read': 'lead',
  'member.manage': 'owner',
  'settings.manage': 'owner',
  'audit.read': 'owner',
  'project.create': 'owner',
};

/** @returns true when `role` is the permission's least role or above it. Unknown words hold nothing. */
export function may(role: Role, permission: Permission): boolean {
  const least = PERMISSION_ROLE[permission];
  return least !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
