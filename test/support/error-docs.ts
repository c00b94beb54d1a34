import { PROBLEM_CODES, problemKind, type Resend, type Stored } from '@/lib/platform/problem';

const STORED: Record<Stored, string> = {
  no: 'nothing',
  maybe: 'perhaps everything',
  good_events: 'the good events',
  not_applicable: 'not asked to',
};

const RESEND: Record<Resend, string> = {
  as_is: 'yes, as it is',
  after_change: 'changed',
  never: 'no',
};

/** docs/errors.md as the closed list of problem codes says it. `npm run docs:errors` writes it. */
export function renderErrorDocs(): string {
  const rows = PROBLEM_CODES.map((code) => {
    const kind = problemKind(code);
    return [`\`${code}\``, String(kind.status), kind.title, STORED[kind.stored], RESEND[kind.resend], kind.when];
  });
  const head = ['code', 'status', 'what it means', 'stored', 'send again?', 'when'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `# Error codes

Every refusal is \`application/problem+json\` (RFC 9457) with one of these codes in \`code\`, and our own retry advice.
Sending events again is always safe: an event id counts once. 429 and 503 carry \`Retry-After\` in whole seconds.
This page is written from the code's own list by \`npm run docs:errors\`; a test compares them.

${line(head)}
${rule}
${rows.map(line).join('\n')}
`;
}
