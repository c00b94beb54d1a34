/**
 * A command that sends one believable failure, ready to paste into a shell.
 * The time is the shell's own, because an event must be no older than the retention.
 */
export function firstEventCurl(baseUrl: string, key: string): string {
  const event = [
    '"operationId":"first-try-1"',
    '"attempt":1',
    '"startedAt":\'$(date +%s)000\'',
    '"service":"my-service"',
    '"kind":"write"',
    '"call":"POST /orders"',
    '"status":504',
  ].join(',');
  return [
    `curl -sS ${baseUrl}/api/v1/events \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{${event}}'`,
  ].join('\n');
}
