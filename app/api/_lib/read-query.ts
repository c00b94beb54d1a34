import { z } from 'zod';
import { KINDS, PROFILES } from '@/lib/core/attempt';
import { ACTIONS } from '@/lib/core/verdict';
import { chooseStep } from '@/lib/queries/overview';
import { STEPS, type Filters, type Range, type Step } from '@/lib/queries/views';
import { RequestError } from './route';

const DAY_MS = 86_400_000;
const RANGE_MS_MAX = 400 * DAY_MS;
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 1_000;
const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

/** One value, or several by repeating the name. */
const many = <T extends z.ZodType<string>>(word: T) => z.array(word).max(VALUES_MAX);
const text = z.string().max(VALUE_LENGTH_MAX);

const filterShape = {
  service: many(text),
  call: many(text),
  kind: many(z.enum(KINDS)),
  code: many(text),
  action: many(z.enum(ACTIONS)),
  profile: many(z.enum(PROFILES)),
  target: many(text),
  sdk: many(text),
  environment: many(text),
};

/** ISO 8601 with an offset, or epoch milliseconds. */
const instant = z.union([
  z.iso.datetime({ offset: true }).transform((iso) => Date.parse(iso)),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const rangeShape = {
  from: instant,
  to: instant,
  tz: z.string().max(64).refine(isZone, 'Not an IANA time zone.'),
};

const pageShape = {
  cursor: z.string().min(1).max(2_000),
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(LIMIT_MAX)),
};

/** What every endpoint of its kind takes. */
export const COMMON_QUERIES = {
  filters: z.object(filterShape).partial(),
  range: z.object(rangeShape).partial(),
  page: z.object(pageShape).partial(),
  step: z.object({ step: z.enum(STEPS) }).partial(),
};

/** Names that every request may carry. */
const COMMON = ['project'];

/**
 * Reads the query of one endpoint. A name nobody reads is refused: a mistyped filter that is silently ignored
 * would give wrong numbers.
 */
export class QueryReader {
  private readonly params: URLSearchParams;
  private readonly known = new Set(COMMON);

  constructor(request: Request) {
    this.params = new URL(request.url).searchParams;
  }

  /** Values by the schema's names: a list where the schema takes one, else the only value. */
  read<T extends z.ZodObject>(schema: T): z.infer<T> {
    const names = Object.keys(schema.shape);
    names.forEach((name) => this.known.add(name));
    const given = names.flatMap((name) => {
      const values = this.params.getAll(name);
      return values.length === 0 ? [] : [[name, takesList(schema, name) ? values : onlyValue(name, values)]];
    });
    const parsed = schema.safeParse(Object.fromEntries(given));
    if (parsed.success) return parsed.data;
    const errors = parsed.error.issues.map((issue) => ({
      pointer: `/${String(issue.path[0] ?? '')}`,
      code: 'invalid_request' as const,
      detail: issue.message,
    }));
    throw new RequestError('invalid_request', `Wrong parameter: ${errors[0]?.pointer.slice(1) ?? ''}.`, errors);
  }

  filters(): Filters {
    return this.read(COMMON_QUERIES.filters);
  }

  /** Half-open; the last 24 hours unless given. */
  range(now: number): Range {
    const { from, to = now, tz = 'UTC' } = this.read(COMMON_QUERIES.range);
    const start = from ?? to - DAY_MS;
    const fault = start >= to ? '`from` must lie before `to`.' : 'The range is longer than 400 days.';
    if (start >= to || to - start > RANGE_MS_MAX) {
      throw new RequestError('invalid_request', fault, [{ pointer: '/from', code: 'invalid_request', detail: fault }]);
    }
    return { from: start, to, tz };
  }

  step(range: Range): Step {
    return this.read(COMMON_QUERIES.step).step ?? chooseStep(range);
  }

  page(): { cursor?: string; limit: number } {
    const { cursor, limit = LIMIT_DEFAULT } = this.read(COMMON_QUERIES.page);
    return { limit, ...(cursor === undefined ? {} : { cursor }) };
  }

  /** Call after the last `read`. */
  end(): void {
    const unknown = [...new Set(this.params.keys())].filter((name) => !this.known.has(name));
    if (unknown.length === 0) return;
    const errors = unknown.slice(0, 20).map((name) => ({
      pointer: `/${name.slice(0, 100)}`,
      code: 'invalid_request' as const,
      detail: 'There is no parameter of this name here.',
    }));
    throw new RequestError('invalid_request', 'A parameter is not known here.', errors);
  }
}

function takesList(schema: z.ZodObject, name: string): boolean {
  let inner: unknown = schema.shape[name];
  while (inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner instanceof z.ZodArray;
}

function onlyValue(name: string, values: readonly string[]): string | undefined {
  if (values.length === 1) return values[0];
  const detail = 'Give it once.';
  throw new RequestError('invalid_request', detail, [{ pointer: `/${name}`, code: 'invalid_request', detail }]);
}
