import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from './columns';
import { project } from './project';

/** People. `installation_owner` administers every project; others are members of single ones. */
export const appUser = pgTable(
  'app_user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    installationOwner: boolean('installation_owner').notNull().default(false),
    /** Set while the person is shut out; sessions stop at once. */
    disabledAt: instant('disabled_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('app_user_email_key').on(t.email)],
);

export const appSession = pgTable(
  'app_session',
  {
    id: text('id').primaryKey(),
    expiresAt: instant('expires_at').notNull(),
    token: text('token').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    userId: text('user_id')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
  },
  (t) => [uniqueIndex('app_session_token_key').on(t.token), index('app_session_user_idx').on(t.userId)],
);

export const appAccount = pgTable(
  'app_account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('app_account_provider_key').on(t.providerId, t.accountId),
    index('app_account_user_idx').on(t.userId),
  ],
);

export const appVerification = pgTable(
  'app_verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('app_verification_identifier_idx').on(t.identifier)],
);

export const appRateLimit = pgTable(
  'app_rate_limit',
  {
    id: text('id').primaryKey(),
    key: text('key').notNull(),
    count: integer('count').notNull(),
    lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
  },
  (t) => [uniqueIndex('app_rate_limit_key_key').on(t.key)],
);

/** Failed sign-ins per account (hash of the e-mail), whether or not such a user exists. */
export const loginFailure = pgTable('login_failure', {
  accountHash: bytea('account_hash').primaryKey(),
  failures: integer('failures').notNull(),
  lockedUntil: instant('locked_until'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** One-time link that creates the first owner; only its SHA-256 is stored. */
export const setupToken = pgTable('setup_token', {
  tokenHash: bytea('token_hash').primaryKey(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

/** A person's role in one project. */
export const member = pgTable(
  'member',
  {
    projectId: integer('project_id')
      .notNull()
      .references(() => project.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'member_pkey', columns: [t.projectId, t.userId] }),
    index('member_user_idx').on(t.userId),
    check('member_role_word', sql`${t.role} in ('viewer', 'operator', 'lead', 'owner')`),
  ],
);
