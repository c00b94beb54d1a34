/** A client that announces a write, sends it, and is killed before the answer comes. Started by lab.test.ts. */
import { createReporter, wrapFetch } from '@/lib/client';

const [readbackUrl = '', ingestKey = '', targetUrl = '', operationId = '', service = ''] = process.argv.slice(2);

const reporter = createReporter({
  url: readbackUrl,
  key: ingestKey,
  service,
  instance: 'killed',
  sdk: { name: 'fetch' },
});
const send = wrapFetch(reporter);

const answer = send(
  targetUrl,
  {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'x-lab-operation': operationId, 'x-lab-kind': 'write' },
  },
  { operationId, attempt: 1, call: 'POST /things', kind: 'write', profile: 'http', policy: { deadlineMs: 2_000 } },
);
while (reporter.stats().accepted === 0) await new Promise((resolve) => setTimeout(resolve, 20));
// The start is safe with Readback: now the parent may kill.
process.stdout.write('announced\n');
await answer;
