import { describe, expect, it } from 'vitest';
import { listRuleSets } from '@/lib/core/rules/index';
import { GATES } from '@/lib/core/verdict';
import matrix from '../../cases/data/matrix.json';
import { verdictOf, type Wire } from '../../cases/judge';
import { judgeHere } from '../../cases/judge-here';

/** Rule sets as data, compared with cases/matrix.json where it has a row for them. */

const codesOf = (name: string): Set<string> => {
  const rows = listRuleSets().find((ruleSet) => ruleSet.name === name)?.rows ?? [];
  return new Set(rows.filter(({ stage }) => stage === 'code').map(({ id }) => id));
};

describe('vibecode rows', () => {
  it('are exactly the codes of each edition', () => {
    expect(codesOf('vibecode@2026-10-22')).toEqual(new Set(matrix.vibecode.codes.map(({ code }) => code)));
    const older = matrix.vibecode.codes.filter(({ in_ru_edition }) => in_ru_edition).map(({ code }) => code);
    expect(codesOf('vibecode@older-ru')).toEqual(new Set(older));
    expect(matrix.vibecode.codes.filter(({ in_ru_edition }) => !in_ru_edition).map(({ code }) => code)).toEqual(
      matrix.vibecode.editions.only_in_english,
    );
  });
  it.each(matrix.vibecode.codes)('$code says of Retry-After what the prose says', ({ code, retry_after }) => {
    const words: Record<string, string[]> = {
      present: ['asked'],
      strict: ['strict'],
      absent: ['never_announced'],
      unspecified: ['unspecified', 'useless'],
    };
    for (const ruleSet of listRuleSets().filter(({ profile }) => profile === 'vibecode')) {
      const rows = ruleSet.rows.filter(({ id, stage }) => id === code && stage === 'code');
      for (const row of rows) expect(words[retry_after]).toContain(row.wait);
    }
  });
  it('differ between the editions for one code alone, where both know it', () => {
    const [current, older] = listRuleSets().filter(({ profile }) => profile === 'vibecode');
    for (const row of older?.rows ?? []) {
      const same = current?.rows.find(({ id, stage, match }) => {
        return id === row.id && stage === row.stage && JSON.stringify(match) === JSON.stringify(row.match);
      });
      const { read, write, reached, wait } = row;
      expect(same, row.id).toMatchObject({ read, write, reached, wait });
    }
  });
});

describe('quillhub rows', () => {
  const quill = listRuleSets().find(({ profile }) => profile === 'quillhub');
  it('hold the numbers of the guide', () => {
    const row = quill?.rows.find(({ id }) => id === 'HTTP_429');
    const scenario = matrix.quillhub.scenarios.find(({ scenario: name }) => name === '429');
    expect(row).toMatchObject({ retriesMax: scenario?.max_retries, waitMsMin: 1_000 });
    expect(quill?.keyMode).toBe(matrix.quillhub.idempotency.mode);
  });
});

describe('http rows', () => {
  const plain = listRuleSets().find(({ profile }) => profile === 'http');
  it('know the methods of the function', () => {
    expect(new Set(plain?.methodsReplayable)).toEqual(new Set(matrix.article.idempotent_methods));
  });
  it.each(matrix.article.statuses.filter(({ status }) => status !== 200))(
    '$status has a row of its own',
    ({ status }) => {
      const own = plain?.rows.find(({ id, stage }) => id === `HTTP_${status}` && stage === 'status');
      expect(own?.match.statuses).toEqual([[status, status]]);
      expect(own?.provenance.source).toBe('article');
    },
  );
});

describe('rule sets as data', () => {
  it('name every row, say it in both languages and where it comes from', () => {
    const names = listRuleSets().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const ruleSet of listRuleSets()) {
      expect(ruleSet.rows.filter(({ stage }) => stage === 'default')).toHaveLength(1);
      for (const row of ruleSet.rows) {
        expect(row.condition.en.length, row.id).toBeGreaterThan(20);
        expect(row.condition.ru, row.id).toMatch(/[а-яё]{3}/i);
        expect(row.provenance.place, row.id).not.toBe('');
      }
    }
  });
  it('name their gates in the order in which they apply', () => {
    const rank: Record<string, number> = { asked_or_backoff: 0, asked_only: 0 };
    GATES.forEach((gate, at) => (rank[gate] = at));
    for (const { rows } of listRuleSets()) {
      for (const row of rows) {
        for (const cell of [row.read, row.write, row.replayable]) {
          const ranks = (cell?.gates ?? []).map((gate) => rank[gate] ?? -1);
          expect(ranks, row.id).toEqual([...ranks].sort((a, b) => a - b));
        }
      }
    }
  });
  it('have one current edition per profile', () => {
    for (const profile of ['vibecode', 'quillhub', 'http', 'bitrix_rest']) {
      expect(listRuleSets().filter((ruleSet) => ruleSet.profile === profile && ruleSet.current)).toHaveLength(1);
    }
  });
});

describe('the sources’ own sample functions', () => {
  const word = async (fields: Wire) => (await verdictOf(judgeHere, fields)).classifier;
  it.each(matrix.article.network.filter(({ code }) => code !== 'ETIMEOUT'))(
    'the article answers for $label what its table says',
    async (row) => {
      const error = { code: row.code, syscall: row.syscall ?? undefined };
      const said = (yes: boolean | null) => (yes ? 'retry' : 'no_retry');
      expect(await word({ profile: 'http', kind: 'read', method: 'GET', error })).toBe(said(row.get));
      expect(await word({ profile: 'http', error })).toBe(said(row.post));
      expect(await word({ profile: 'http', idempotency: { key: 'k' }, error })).toBe(said(row.keyed_post));
    },
  );
  it('quillhub’s repeats a reset, a late connection and any TypeError, and nothing else', async () => {
    const said = (error: Wire) => word({ profile: 'quillhub', error });
    expect(await said({ code: 'ECONNRESET' })).toBe('retry');
    expect(await said({ code: 'ETIMEDOUT', syscall: 'connect' })).toBe('retry');
    expect(await said({ name: 'TypeError', cause: { code: 'ENOTFOUND' } })).toBe('retry');
    for (const name of ['AbortError', 'TimeoutError']) expect(await said({ name }), name).toBe('no_retry');
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EPIPE'])
      expect(await said({ code }), code).toBe('no_retry');
  });
});
