import type { Verdict } from '@/lib/core/verdict';
import type { EvaluatedOperation } from '@/lib/ingest/handle-evaluate';
import { createIngestClient } from '@/test/support/ingest-client';
import type { Judge } from '../../cases/judge';

interface ClassifyLine {
  verdict?: Verdict | null;
  error?: unknown;
}

/** The product behind a port: every case is a request. @param key may classify and evaluate */
export function createApiJudge(port: number, key: string): Judge {
  const client = createIngestClient(port, key);
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await client.post(body, {}, path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  return {
    verdicts: async (event, ruleSet) => {
      const query = ruleSet ? `?ruleSet=${encodeURIComponent(ruleSet)}` : '';
      const { results } = await post(`/api/v1/classify${query}`, event);
      return (results as ClassifyLine[]).map(({ verdict, error }) => {
        if (!verdict) throw new Error(JSON.stringify(error ?? 'no attempt'));
        return verdict;
      });
    },
    evaluate: async (events, asOf) => {
      const { operations, rejected } = await post('/api/v1/operations/evaluate', { events, asOf });
      if (rejected) throw new Error(JSON.stringify(rejected));
      return operations as EvaluatedOperation[];
    },
  };
}
