import type { Explanation } from '@/lib/core/explain';
import type { Verdict } from '@/lib/core/verdict';

export type TryOne =
  | { index: number; item?: string; verdict: Verdict | null; explanation?: Explanation | null }
  | { index: number; error: { pointer: string; detail: string } };

export type TryAnswer = { results: TryOne[] } | { failed: true } | { broken: string };

interface Question {
  slug: string;
  ruleSet: string;
  locale: string;
  body: unknown;
}

export async function askVerdicts({ slug, ruleSet, locale, body }: Question): Promise<TryAnswer> {
  const query = new URLSearchParams({ project: slug, ruleSet, lang: locale });
  const answer = await fetch(`/api/rules/try?${query.toString()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  const read = (await answer?.json().catch(() => null)) as { results?: TryOne[] } | null;
  return answer?.ok && read?.results ? { results: read.results } : { failed: true };
}
