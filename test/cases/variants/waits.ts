import type { Wire } from '../judge';

/** What a 429 read asked to wait, derived from standards.md §2 and domain.md §7: [name, event, expected wait]. */
export type WaitVariant = [name: string, fields: Wire, expected: Wire];

const NONE = { source: 'backoff', form: null, delayMs: null };
const unusable = (issue: string): Wire => ({ ...NONE, conformant: false, issues: [issue] });
const DATE = 'Mon, 02 Mar 2026 10:00:00 GMT';

/** The head arrives at 10:00:00.100 by the client's clock. */
export const WAIT_VARIANTS: readonly WaitVariant[] = [
  ['zero with zeros', { retryAfter: '000' }, { delayMs: 0, form: 'delay-seconds', conformant: true }],
  ['zero point zero', { retryAfter: '0.0' }, { delayMs: 0, form: 'fractional-seconds', issues: ['fractional'] }],
  ['a fraction too small to see', { retryAfter: '0.0000001' }, { delayMs: 1 }],
  ['a fraction that floats badly', { retryAfter: '4.35' }, { delayMs: 4_350 }],
  [
    'a fraction of a day and more',
    { retryAfter: '86400.5' },
    { delayMs: 86_400_500, issues: ['fractional', 'implausibly_long'] },
  ],
  ['a comma for a point', { retryAfter: '1,5' }, { delayMs: 5_000, issues: ['multiple_values'] }],
  ['no digit before the point', { retryAfter: '.5' }, unusable('unparseable')],
  ['a negative fraction', { retryAfter: '-0.5' }, unusable('negative')],
  ['minus without digits', { retryAfter: '-' }, unusable('unparseable')],
  ['a unit after a space', { retryAfter: '5 seconds' }, unusable('unit_suffix')],
  ['milliseconds by suffix', { retryAfter: '500ms' }, unusable('unit_suffix')],
  ['a word behind a number', { retryAfter: '5 apples' }, unusable('unparseable')],
  ['scientific', { retryAfter: '1e3' }, unusable('unparseable')],
  ['NaN', { retryAfter: 'nan' }, unusable('unparseable')],
  ['full-width digits', { retryAfter: '５' }, unusable('unparseable')],
  ['no-break space', { retryAfter: '\u00a05' }, unusable('unparseable')],
  ['quoted', { retryAfter: '"5"' }, unusable('unparseable')],
  ['a parameter', { retryAfter: '5; comment' }, unusable('unparseable')],
  [
    'epoch seconds a minute ago',
    { retryAfter: '1772445540' },
    { delayMs: 0, form: 'epoch-seconds', issues: ['epoch_suspected', 'date_in_past'] },
  ],
  ['epoch ms', { retryAfter: '1772445630100' }, { delayMs: 30_000, form: 'epoch-ms', issues: ['epoch_suspected'] }],
  [
    'epoch microseconds are no epoch',
    { retryAfter: '1772445630000000' },
    { form: 'delay-seconds', issues: ['overflow_clamped'] },
  ],
  ['nine digits are seconds', { retryAfter: '177244563' }, { form: 'delay-seconds', delayMs: 177_244_563_000 }],
  [
    'epoch seconds from the answer’s Date',
    { retryAfter: '1772445630', dateHeader: 'Mon, 02 Mar 2026 09:59:30 GMT' },
    { delayMs: 60_000, skewMs: 30_100 },
  ],
  [
    'a date from the answer’s Date',
    { retryAfter: 'Mon, 02 Mar 2026 10:00:30 GMT', dateHeader: DATE },
    { delayMs: 30_000, skewMs: 100 },
  ],
  [
    'a date against a stale cached Date',
    {
      retryAfter: 'Mon, 02 Mar 2026 10:00:30 GMT',
      dateHeader: 'Mon, 02 Mar 2026 09:00:00 GMT',
      headers: { age: '3600' },
    },
    { delayMs: 29_900, skewMs: null },
  ],
  [
    'a date against an unreadable Date',
    { retryAfter: 'Mon, 02 Mar 2026 10:00:30 GMT', dateHeader: 'today' },
    { delayMs: 29_900, skewMs: null },
  ],
  [
    'seconds are not touched by skew',
    { retryAfter: '30', dateHeader: 'Mon, 02 Mar 2026 09:00:00 GMT' },
    { delayMs: 30_000, skewMs: 3_600_100 },
  ],
  [
    'RFC 850',
    { retryAfter: 'Monday, 02-Mar-26 10:00:30 GMT' },
    { delayMs: 29_900, form: 'rfc850-date', conformant: true },
  ],
  [
    'RFC 850, seventy-seven is past',
    { retryAfter: 'Wednesday, 02-Mar-77 10:00:30 GMT' },
    { delayMs: 0, issues: ['date_in_past'] },
  ],
  ['asctime with a zero', { retryAfter: 'Mon Mar 02 10:00:30 2026' }, { form: 'asctime-date', delayMs: 29_900 }],
  [
    'an offset of zero',
    { retryAfter: 'Mon, 02 Mar 2026 10:00:30 +0000' },
    { delayMs: 29_900, conformant: false, issues: ['zone_not_gmt'] },
  ],
  ['another offset', { retryAfter: 'Mon, 02 Mar 2026 10:00:30 +0200' }, unusable('unparseable')],
  ['the thirtieth of February', { retryAfter: 'Mon, 30 Feb 2026 10:00:30 GMT' }, unusable('unparseable')],
  ['ISO 8601 with an offset', { retryAfter: '2026-03-02T12:00:30+02:00' }, { delayMs: 29_900, form: 'iso-8601' }],
  ['ISO 8601 without a zone', { retryAfter: '2026-03-02T10:00:30' }, unusable('unparseable')],
  [
    'two lines, one useless',
    { retryAfter: ['soon', '7'] },
    { delayMs: 7_000, issues: ['multiple_values', 'unparseable'] },
  ],
  ['two useless lines', { retryAfter: ['soon', '-1'] }, { delayMs: null }],
  ['two equal lines', { retryAfter: ['7', '7'] }, { delayMs: 7_000, issues: ['multiple_values'] }],
  [
    'a date and seconds in one line',
    { retryAfter: 'Mon, 02 Mar 2026 10:00:30 GMT, 120' },
    { delayMs: 120_000, issues: ['multiple_values'] },
  ],
  [
    'an ms header first',
    { retryAfter: '9', headers: { 'retry-after-ms': '250' } },
    { source: 'other_header', form: 'retry-after-ms', delayMs: 250, conformant: false, issues: ['nonstandard_header'] },
  ],
  ['x-amz-retry-after', { headers: { 'X-Amz-Retry-After': '1500' } }, { form: 'x-amz-retry-after', delayMs: 1_500 }],
  [
    'two ms headers: the first word',
    { headers: { 'x-ms-retry-after-ms': '20', 'retry-after-ms': '10' } },
    { form: 'retry-after-ms', delayMs: 10 },
  ],
  ['an ms header rounded up', { headers: { 'retry-after-ms': '250.2' } }, { delayMs: 251 }],
  [
    'a useless ms header',
    { retryAfter: '9', headers: { 'retry-after-ms': 'soon' } },
    { source: 'retry_after', delayMs: 9_000 },
  ],
  ['a huge ms header', { headers: { 'retry-after-ms': '999999999999999' } }, { delayMs: 2_147_483_648_000 }],
  [
    'body and ms header apart',
    { retryAfterBody: 5, headers: { 'retry-after-ms': '250' } },
    { source: 'body', delayMs: 5_000, issues: ['nonstandard_header', 'mismatch'] },
  ],
  ['body a second less', { retryAfter: '5', retryAfterBody: 4 }, { source: 'retry_after', delayMs: 5_000, issues: [] }],
  ['body alone, a fraction', { retryAfterBody: 1.1 }, { source: 'body', form: 'body', delayMs: 1_100 }],
  ['a negative body', { retryAfterBody: -3 }, NONE],
  ['only a reset', { headers: { 'x-ratelimit-reset': '60' } }, NONE],
  ['only a RateLimit field', { headers: { ratelimit: '"default";r=0;t=30' } }, NONE],
];
