import { z } from 'zod';
import { EVENT_SCHEMAS } from '@/lib/ingest/schema';
import { PROBLEM_CODES } from '@/lib/platform/problem';
import { claimSchema } from '@/lib/services/review/claim';
import { noteInputSchema } from '@/lib/services/review/note';
import { releaseSchema } from '@/lib/services/review/release';
import { reopenSchema } from '@/lib/services/review/reopen';
import { resolveSchema } from '@/lib/services/review/resolve';
import { snoozeSchema } from '@/lib/services/review/snooze';
import { keyInput } from '@/lib/services/key/create-key';
import { settingsInput } from '@/lib/services/project/settings-schema';
import { recomputeInput, whatIfInput } from '@/lib/services/recompute/start';
import { COMMON_QUERIES } from './read-query';
import {
  complianceQuery,
  findingsQuery,
  operationsQuery,
  ratesQuery,
  reviewQuery,
  scorecardQuery,
} from './query-schemas';

/** The OpenAPI 3.1 document, made of the schemas that validate. */

type Json = Record<string, unknown>;
type ObjectSchema = z.ZodObject;

function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function parametersOf(schema: ObjectSchema): Json[] {
  const { properties = {} } = toJsonSchema(schema) as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: 'query',
    schema: inner,
    // A list is the name repeated.
    ...(inner.type === 'array' ? { style: 'form', explode: true } : {}),
  }));
}

const PROJECT = {
  name: 'project',
  in: 'query',
  schema: { type: 'string' },
  description: 'The slug; with a session only.',
};
const PROBLEM = {
  description: 'RFC 9457',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function operation(summary: string, more: Json = {}, queries: readonly ObjectSchema[] = [], path: string[] = []): Json {
  const inPath = path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return {
    summary,
    parameters: [...inPath, PROJECT, ...queries.flatMap(parametersOf)],
    responses: { '200': { description: 'OK', content: { 'application/json': {} } }, default: PROBLEM },
    ...more,
  };
}

function bodyOf(schema: z.ZodType): Json {
  return { requestBody: { required: true, content: { 'application/json': { schema: toJsonSchema(schema) } } } };
}

const { filters, range, page, step } = COMMON_QUERIES;

function readPaths(): Json {
  return {
    '/api/v1/rates': { get: operation('Rates', {}, [ratesQuery, range, step, filters]) },
    '/api/v1/compliance': { get: operation('Waits kept', {}, [complianceQuery, range, step, filters]) },
    '/api/v1/operations': { get: operation('Operations', {}, [operationsQuery, range, filters, page]) },
    '/api/v1/operations/{operationId}': { get: operation('One operation', {}, [], ['operationId']) },
    '/api/v1/findings': { get: operation('Findings', {}, [findingsQuery, range, filters, page]) },
    '/api/v1/findings/counts': { get: operation('Findings by check', {}, [range, filters]) },
    '/api/v1/findings/scorecard': {
      get: operation('Findings by service or SDK version', {}, [scorecardQuery, range, filters]),
    },
    '/api/v1/codes': { get: operation('Codes', {}, [range, filters]) },
    '/api/v1/codes/{code}': { get: operation('One code', {}, [range, filters], ['code']) },
    '/api/v1/overview': { get: operation('Overview', {}, [range, filters]) },
    '/api/v1/choices': { get: operation('Values for filters') },
    '/api/v1/review': { get: operation('The queue', {}, [reviewQuery, filters, page]) },
    '/api/v1/review/summary': { get: operation('The queue in numbers', {}, [filters]) },
    '/api/v1/review/{id}': { get: operation('One item', {}, [], ['id']) },
    '/api/v1/settings': {
      get: operation('What conclusions depend on'),
      post: operation('Change it', bodyOf(settingsInput)),
    },
    '/api/v1/what-if': { post: operation('Count what a change would move', bodyOf(whatIfInput)) },
    '/api/v1/recompute': {
      get: operation('Previews and recomputations', {}, [page]),
      post: operation('Conclude stored operations again', bodyOf(recomputeInput)),
    },
    '/api/v1/recompute/{id}': { get: operation('One of them', {}, [], ['id']) },
    '/api/v1/recompute/{id}/cancel': { post: operation('Stop one', {}, [], ['id']) },
    '/api/v1/keys': { get: operation('Keys'), post: operation('Make a key', bodyOf(keyInput)) },
    '/api/v1/keys/{keyId}/revoke': { post: operation('End a key', {}, [], ['keyId']) },
  };
}

const VERBS: Readonly<Record<string, z.ZodType>> = {
  claim: claimSchema,
  renew: z.object({}),
  release: releaseSchema,
  note: noteInputSchema,
  snooze: snoozeSchema,
  resolve: resolveSchema,
  reopen: reopenSchema,
};

function verbPaths(): Json {
  const paths: Json = { '/api/v1/review/next': { post: operation('Claim the next item', bodyOf(z.object({}))) } };
  for (const [verb, schema] of Object.entries(VERBS)) {
    paths[`/api/v1/review/{id}/${verb}`] = { post: operation(`${verb} an item`, bodyOf(schema), [], ['id']) };
  }
  return paths;
}

function eventPaths(): Json {
  const event = { $ref: '#/components/schemas/Event' };
  const many = {
    oneOf: [event, { type: 'array', items: event }, { properties: { events: { type: 'array', items: event } } }],
  };
  const body = {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: many }, 'application/x-ndjson': { schema: event } },
    },
  };
  const accepted = { responses: { '202': { description: 'Everything accepted is durable' }, default: PROBLEM } };
  return {
    '/api/v1/events': { post: { summary: 'Take events', ...body, ...accepted } },
    '/api/v1/classify': { post: operation('Judge events, store nothing', body) },
    '/api/v1/operations/evaluate': { post: operation('Judge whole operations, store nothing', body) },
  };
}

/** @returns a plain JSON value; the same for the life of the process. */
export function describeApi(): Json {
  const events = Object.values(EVENT_SCHEMAS).map((schema) => toJsonSchema(schema));
  return {
    openapi: '3.1.0',
    info: { title: 'Readback', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    security: [{ key: [] }, { session: [] }],
    paths: { ...eventPaths(), ...readPaths(), ...verbPaths() },
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'readback.session_token' },
      },
      schemas: {
        Event: { anyOf: events },
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            code: { enum: PROBLEM_CODES },
            requestId: { type: 'string' },
            errors: { type: 'array', items: { type: 'object' } },
          },
        },
      },
    },
  };
}
