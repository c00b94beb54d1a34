import type { Env } from '../platform/env';

/** Where browsers reach us: configured, else this machine's own port. Never taken from a Host header. */
export function baseUrl(env: Pick<Env, 'PUBLIC_URL' | 'PORT'>): string {
  return env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : `http://localhost:${env.PORT}`;
}

/** Origins whose pages may ask for changes. Without PUBLIC_URL every spelling of this machine counts. */
export function trustedOrigins(env: Pick<Env, 'PUBLIC_URL' | 'PORT'>): string[] {
  if (env.PUBLIC_URL) return [new URL(env.PUBLIC_URL).origin];
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${env.PORT}`);
}
