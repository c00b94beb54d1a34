import { z } from 'zod';
import type { ProblemCode } from '@/lib/platform/problem';
import { parseInstant } from './parse-instant';

/** Building blocks of the event schemas. Optional members take null as absent: many writers send it. */

/** NUL, or half a surrogate pair: PostgreSQL can keep neither. */
const UNKEEPABLE = /[\0\ud800-\udfff]/u;
// eslint's no-control-regex has nothing to say about a negated printable range.
const BEYOND_ASCII = /[^\x20-\x7e]/;

export function isKeepable(text: string): boolean {
  return !UNKEEPABLE.test(text);
}

/** One name is one row everywhere: outer space removed, Unicode NFC. */
export function tidyName(text: string): string {
  const trimmed = text.trim();
  return BEYOND_ASCII.test(trimmed) ? trimmed.normalize('NFC') : trimmed;
}

export function codeParams(code: ProblemCode): { code: ProblemCode } {
  return { code };
}

const keepable = { message: 'must not hold NUL or half a surrogate pair', params: codeParams('invalid_characters') };

export const identifier = (charactersMax: number) =>
  z.string().overwrite(tidyName).min(1).max(charactersMax).refine(isKeepable, keepable);

/** An empty one counts as absent. */
export const optionalIdentifier = (charactersMax: number) =>
  z.string().overwrite(tidyName).max(charactersMax).refine(isKeepable, keepable).nullish();

/** Kept exactly as sent (codes, keys): no trimming, so that a malformed one stays visible. */
export const optionalRaw = (charactersMax: number) =>
  z.string().max(charactersMax).refine(isKeepable, keepable).nullish();

/** Cut, cleaned and masked on receipt, never a reason to refuse an event. */
export const freeText = () => z.string().nullish();

export const instant = () =>
  z
    .union([z.string(), z.number()])
    .transform((value, context) => {
      const at = parseInstant(value);
      if (at !== null) return at;
      context.issues.push({
        code: 'custom',
        input: value,
        message: 'must be ISO 8601 with an offset, or epoch milliseconds',
      });
      return z.NEVER;
    })
    .meta({ description: 'ISO 8601 with an offset, or epoch milliseconds' });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Default values that everyone would share. */
const NO_UUID = new Set(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']);

export const uuid = () =>
  z
    .string()
    .toLowerCase()
    .refine((text) => UUID.test(text) && !NO_UUID.has(text), { message: 'must be a UUID of its own' })
    .meta({ format: 'uuid' });

const INT4_MAX = 2_147_483_647;
export const attemptNumber = () => z.int().min(1).max(INT4_MAX);
export const durationMs = () => z.number().min(0).max(1e13).nullish();
export const httpStatus = () => z.int().min(0).max(999);
export const flag = () => z.boolean().nullish();

export const ATTRIBUTES_MAX = 20;
export const ATTRIBUTE_KEY_CHARACTERS_MAX = 200;
const ATTRIBUTE_CHARACTERS_MAX = 1_000;

export const attributes = () =>
  z
    .record(z.string(), z.string().max(ATTRIBUTE_CHARACTERS_MAX))
    .superRefine((value, context) => {
      const keys = Object.keys(value);
      if (keys.length > ATTRIBUTES_MAX)
        context.addIssue({ code: 'custom', message: `must have at most ${ATTRIBUTES_MAX} members` });
      if (!keys.every(isKeepable)) context.addIssue({ code: 'custom', ...keepable });
      if (keys.some((key) => key.length > ATTRIBUTE_KEY_CHARACTERS_MAX))
        context.addIssue({
          code: 'custom',
          message: `names must have at most ${ATTRIBUTE_KEY_CHARACTERS_MAX} characters`,
          params: codeParams('attribute_key_too_long'),
        });
    })
    .nullish();
