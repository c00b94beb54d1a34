import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { betterAuth, type BetterAuthOptions } from 'better-auth/minimal';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client';
import { appAccount, appRateLimit, appSession, appUser, appVerification } from '../../db/schema';
import { hashPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, verifyPassword } from './password';

/** Set by ourselves on the request handed to better-auth; a client's own header never reaches it. */
export const ADDRESS_HEADER = 'x-readback-client-address';

export const AUTH_BASE_PATH = '/api/auth';
const SESSION_SECONDS = 7 * 86_400;

export interface AuthConfig {
  db: Database;
  /** Where browsers reach us, from configuration, never from a Host header. */
  baseUrl: string;
  /** Origins that may ask for changes; the base address is one of them. */
  origins: string[];
  secret: string;
}

function isLocal(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The whole configuration as data, so that tests can hold every line of it. */
export function authOptions({ db, baseUrl, origins, secret }: AuthConfig) {
  return {
    appName: 'Readback',
    baseURL: baseUrl,
    basePath: AUTH_BASE_PATH,
    secret,
    trustedOrigins: origins,
    database: drizzleAdapter(db.orm, {
      provider: 'pg',
      transaction: true,
      schema: {
        user: appUser,
        session: appSession,
        account: appAccount,
        verification: appVerification,
        rateLimit: appRateLimit,
      },
    }),
    emailAndPassword: {
      enabled: true,
      // People are made by the first-owner link or the command line.
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    user: {
      changeEmail: { enabled: false },
      deleteUser: { enabled: false },
      additionalFields: {
        installationOwner: { type: 'boolean', required: false, input: false, fieldName: 'installationOwner' },
        disabledAt: { type: 'date', required: false, input: false, fieldName: 'disabledAt' },
      },
    },
    // An absolute week: a page can't renew a cookie while it renders, and half a renewal is worse than none.
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, cookieCache: { enabled: false } },
    account: { accountLinking: { enabled: false, disableImplicitLinking: true } },
    verification: { storeIdentifier: 'hashed' },
    // Per address; the lock per account is our own (login-lock.ts), because addresses are cheap.
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 100,
      customRules: { '/sign-in/email': { window: 60, max: 20 } },
    },
    advanced: {
      useSecureCookies: !isLocal(baseUrl),
      cookiePrefix: 'readback',
      disableCSRFCheck: false,
      disableOriginCheck: false,
      trustedProxyHeaders: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], trustedProxies: [] },
    },
    databaseHooks: {
      session: { create: { before: async (session) => !(await isDisabled(db, session.userId)) } },
    },
    plugins: [],
    socialProviders: {},
    telemetry: { enabled: false },
    logger: { disabled: true },
    // What we don't use answers 404, in case somebody mounts the handler one day.
    disabledPaths: [
      '/sign-up/email',
      '/sign-in/social',
      '/callback/:id',
      '/change-email',
      '/change-password',
      '/request-password-reset',
      '/reset-password',
      '/reset-password/:token',
      '/update-user',
      '/delete-user',
      '/delete-user/callback',
      '/link-social',
      '/unlink-account',
      '/verify-email',
      '/send-verification-email',
      '/set-password',
    ],
  } satisfies BetterAuthOptions;
}

async function isDisabled(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.orm.select({ at: appUser.disabledAt }).from(appUser).where(eq(appUser.id, userId)).limit(1);
  return !row || row.at !== null;
}

export function createBetterAuth(config: AuthConfig) {
  return betterAuth(authOptions(config));
}

export type BetterAuthInstance = ReturnType<typeof createBetterAuth>;
