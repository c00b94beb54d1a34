import { describeApi } from '@/app/api/_lib/openapi';

/** Needs no sign-in: it names no project and no data. */
export function GET(): Response {
  return Response.json(describeApi(), { headers: { 'cache-control': 'public, max-age=300' } });
}
