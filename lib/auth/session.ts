import { ok, refuse, type Result } from '../core/result';
import type { Person } from './authorize';
import {
  ADDRESS_HEADER,
  AUTH_BASE_PATH,
  createBetterAuth,
  type AuthConfig,
  type BetterAuthInstance,
} from './better-auth';
import { accountHash, chargeTry, forgiveTries, pruneTries } from './login-lock';
import { PASSWORD_LENGTH_MAX } from './password';

/** Sessions, with better-auth kept behind these few functions. */
export interface Auth extends AuthConfig {
  better: BetterAuthInstance;
}

export interface SignedInPerson extends Person {
  name: string;
  email: string;
  sessionId: string;
}

export interface SignInInput {
  email: string;
  password: string;
  /** Address that the front listener vouches for; null when nobody does. */
  address: string | null;
  userAgent: string | null;
  /** Epoch ms. */
  now: number;
}

export type SignInAnswer =
  | { ok: true; setCookies: string[] }
  /** One answer for a wrong password, an unknown and a disabled person. */
  | { ok: false; refusal: 'wrong_credentials' }
  | { ok: false; refusal: 'too_many_tries'; retryAfterSeconds: number };

export function createAuth(config: AuthConfig): Auth {
  return { ...config, better: createBetterAuth(config) };
}

const EMAIL_LENGTH_MAX = 254;

/** Checks a password under the account's lock and the address's limit; the cookies go to the browser as they are. */
export async function signIn(auth: Auth, input: SignInInput): Promise<SignInAnswer> {
  const email = input.email.trim().toLowerCase();
  if (email.length > EMAIL_LENGTH_MAX || input.password.length > PASSWORD_LENGTH_MAX) {
    return { ok: false, refusal: 'wrong_credentials' };
  }
  const account = accountHash(auth.secret, email);
  const waitMs = await chargeTry(auth.db, account, input.now);
  if (waitMs > 0) return tooMany(waitMs / 1000);

  const answer = await auth.better.handler(signInRequest(auth, { ...input, email }));
  if (answer.status === 429) return tooMany(Number(answer.headers.get('x-retry-after') ?? 60));
  if (answer.status >= 500) throw new Error(`sign-in failed with ${answer.status}`);
  if (!answer.ok) return { ok: false, refusal: 'wrong_credentials' };
  await forgiveTries(auth.db, account);
  await pruneTries(auth.db, input.now);
  return { ok: true, setCookies: answer.headers.getSetCookie() };
}

function tooMany(seconds: number): SignInAnswer {
  return { ok: false, refusal: 'too_many_tries', retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

/** Through the handler and not the bare function, because only the handler applies the address limit. */
function signInRequest(auth: Auth, { email, password, address, userAgent }: SignInInput): Request {
  const headers = new Headers({ 'content-type': 'application/json', origin: new URL(auth.baseUrl).origin });
  if (address) headers.set(ADDRESS_HEADER, address);
  if (userAgent) headers.set('user-agent', userAgent.slice(0, 300));
  return new Request(new URL(`${AUTH_BASE_PATH}/sign-in/email`, auth.baseUrl), {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
}

/** Ends this browser's session in the database and clears its cookie. */
export async function signOut(auth: Auth, headers: Headers): Promise<string[]> {
  const answer = await auth.better.api.signOut({ headers, asResponse: true });
  return answer.headers.getSetCookie();
}

/** Who sent these cookies, read from the database each time: a disabled person or ended session is out at once. */
export async function getSession(auth: Auth, headers: Headers): Promise<Result<SignedInPerson, 'no_session'>> {
  const found = await auth.better.api.getSession({ headers });
  if (!found || found.user.disabledAt) return refuse('no_session');
  const { user, session } = found;
  return ok({
    userId: user.id,
    name: user.name,
    email: user.email,
    installationOwner: user.installationOwner === true,
    sessionId: session.id,
  });
}
