import { describe, expect, it } from 'vitest';
import { writePrometheus } from '@/lib/http/prometheus';

describe('metrics as text', () => {
  it('has help, type and a line a sample', () => {
    const samples = [{ labels: { outcome: 'accepted', code: '' }, value: 12 }, { value: 0.5 }];
    expect(writePrometheus([{ name: 'a_total', help: 'What\nis \\ it', type: 'counter', samples }])).toBe(
      '# HELP a_total What\\nis \\\\ it\n# TYPE a_total counter\na_total{outcome="accepted",code=""} 12\na_total 0.5\n',
    );
  });

  it('escapes what a label may hold, and writes every number', () => {
    const samples = [
      { labels: { p: 'a"b\\c\nd' }, value: Infinity },
      { value: -Infinity },
      { value: NaN },
      { value: 1e21 },
    ];
    expect(writePrometheus([{ name: 'g', help: '', type: 'gauge', samples }])).toBe(
      '# HELP g \n# TYPE g gauge\ng{p="a\\"b\\\\c\\nd"} +Inf\ng -Inf\ng NaN\ng 1e+21\n',
    );
  });
});
