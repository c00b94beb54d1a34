/** An expected answer or an expected refusal; exceptions are for the rest. */
export type Result<T, E extends string = string> = { ok: true; value: T } | { ok: false; refusal: E };

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function refuse<E extends string>(refusal: E): { ok: false; refusal: E } {
  return { ok: false, refusal };
}
