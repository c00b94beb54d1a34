import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GET } from '@/app/api/openapi.json/route';

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<string, { parameters?: { name: string; in: string; schema: unknown }[]; requestBody?: unknown }>
  >;
  components: { schemas: { Event: { anyOf: { properties?: Record<string, unknown> }[] } } };
}

const read = async (): Promise<Document> => (await GET().json()) as Document;

test('names every route that is there, and no other', async () => {
  const { openapi, paths } = await read();
  expect(openapi).toBe('3.1.0');
  const files = readdirSync('app/api/v1', { recursive: true, encoding: 'utf8' });
  const routes = files
    .filter((file) => file.endsWith('route.ts') && !file.includes('[...') && !file.includes('[verb]'))
    .map((file) => `/api/v1/${file.replace('/route.ts', '')}`.replace(/\[(\w+)\]/g, '{$1}'));
  const verbs = ['claim', 'renew', 'release', 'note', 'snooze', 'resolve', 'reopen'].map(
    (verb) => `/api/v1/review/{id}/${verb}`,
  );
  const ingestion = ['/api/v1/events', '/api/v1/classify', '/api/v1/operations/evaluate'];
  expect(Object.keys(paths).sort()).toEqual([...routes, ...verbs, ...ingestion].sort());
});

test('the words and limits are those that validate', async () => {
  const { paths, components } = await read();
  const rates = paths['/api/v1/rates']?.get?.parameters ?? [];
  const schemaOf = (name: string) => rates.find((parameter) => parameter.name === name)?.schema;
  expect(schemaOf('step')).toMatchObject({ enum: ['1m', '15m', '1h', '1d'] });
  expect(schemaOf('kind')).toMatchObject({ type: 'array', items: { enum: ['read', 'write'] } });
  const resolve = JSON.stringify(paths['/api/v1/review/{id}/resolve']?.post?.requestBody);
  expect(resolve).toContain('applied_more_than_once');
  expect(components.schemas.Event.anyOf.length).toBeGreaterThanOrEqual(9);
});
