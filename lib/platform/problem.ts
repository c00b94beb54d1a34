/**
 * The closed list of problem codes, with our own retry advice for each (docs/errors.md is checked against it).
 * `stored`: what the server kept of the request. `resend`: may the same bytes be sent again. `when`: in words.
 */

export type Stored = 'no' | 'maybe' | 'good_events' | 'not_applicable';
export type Resend = 'as_is' | 'after_change' | 'never';

export interface ProblemKind {
  status: number;
  title: string;
  stored: Stored;
  resend: Resend;
  when: string;
}

const afterChange = (status: number, title: string, when = 'once the request is mended'): ProblemKind => ({
  status,
  title,
  stored: 'no',
  resend: 'after_change',
  when,
});

const perEvent = (title: string, when: string): ProblemKind => ({
  status: 422,
  title,
  stored: 'good_events',
  resend: 'after_change',
  when,
});

const later = (status: number, title: string, stored: Stored, when: string): ProblemKind => ({
  status,
  title,
  stored,
  resend: 'as_is',
  when,
});

export const PROBLEMS = {
  // The body or the request itself can't be read.
  invalid_json: afterChange(400, 'The body is not valid JSON'),
  invalid_encoding: afterChange(400, 'The body is not valid UTF-8'),
  malformed_compression: afterChange(400, 'The compressed body is damaged or cut'),
  too_deep: afterChange(400, 'The body is nested deeper than 16 levels'),
  headers_too_large: afterChange(431, 'The request head is larger than 16 KiB'),
  incomplete_body: later(400, 'The body ended before its announced length', 'no', 'at once'),
  invalid_request: afterChange(400, 'A parameter of the request is wrong'),
  // Who asks.
  missing_credentials: afterChange(401, 'No key or session was sent'),
  invalid_credentials: afterChange(401, 'The key is not valid'),
  key_revoked: afterChange(401, 'The key was revoked', 'with another key'),
  ambiguous_credentials: afterChange(401, 'Two different credentials were sent'),
  wrong_scope: afterChange(403, 'The key is not for this', 'with a key of the right scope'),
  forbidden: afterChange(403, 'The role does not allow this', 'with a role that allows it'),
  csrf_refused: afterChange(403, 'The request did not come from our own pages'),
  // What is asked for.
  not_found: afterChange(404, 'There is nothing here'),
  method_not_allowed: afterChange(405, 'The method is not offered here'),
  request_timeout: later(408, 'The request did not arrive in time', 'no', 'at once'),
  stale_version: afterChange(409, 'The item changed meanwhile', 'with the version of the current item'),
  wrong_state: afterChange(409, 'The item is not in a state that allows this', 'after looking at the current item'),
  held_by_other: afterChange(409, 'Somebody else holds the item', 'when it is released or its lease is over'),
  already_running: afterChange(
    409,
    'Another recomputation or preview of this project is not finished',
    'when it is done or cancelled',
  ),
  payload_too_large: afterChange(413, 'The body is larger than 10 MiB decoded', 'in smaller parts'),
  batch_too_large: afterChange(413, 'More than 5,000 events in one request', 'in smaller parts'),
  unsupported_media_type: afterChange(415, 'The content type is not taken here'),
  unsupported_content_encoding: afterChange(415, 'The content encoding is not taken here'),
  expectation_failed: afterChange(417, 'The expectation can not be met'),
  // Events.
  validation_failed: perEvent('The event is not what the contract asks for', 'once the event is mended'),
  invalid_characters: perEvent('An identifier holds NUL or half a surrogate pair', 'once the event is mended'),
  number_out_of_range: perEvent('A number is too large to be kept', 'once the event is mended'),
  attribute_key_too_long: perEvent('The name of an attribute is too long', 'once the event is mended'),
  timestamp_out_of_range: perEvent(
    'The time is more than 10 minutes ahead or older than the retention',
    'with the right time, if the clock was wrong',
  ),
  event_quarantined: {
    status: 422,
    title: 'The event passed every check but could not be stored; this is our defect and was counted',
    stored: 'good_events',
    resend: 'never',
    when: 'after the defect is mended',
  },
  // Load and faults. Every one may be sent again as it is: an event id counts once.
  rate_limited: later(429, 'Too many requests', 'no', 'after Retry-After'),
  quota_exceeded: later(
    429,
    'The project took its events of the day already',
    'no',
    'after Retry-After, when the day ends in UTC',
  ),
  internal_error: later(500, 'A defect of ours', 'maybe', 'once, after a minute; events count once anyway'),
  overloaded: later(503, 'Too much is waiting already', 'no', 'after Retry-After'),
  deadline_exceeded: later(503, 'The store did not answer in time', 'maybe', 'after Retry-After'),
  database_unavailable: later(503, 'The database can not be reached', 'maybe', 'after Retry-After'),
  storage_unavailable: later(503, 'The database has no room or its disk fails', 'maybe', 'after Retry-After'),
  partition_missing: later(503, 'The store is not prepared for that day yet', 'no', 'after Retry-After'),
  not_ready: later(503, 'The service is starting', 'no', 'after Retry-After'),
  shutting_down: later(503, 'The service is stopping', 'no', 'after Retry-After, on a new connection'),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** One thing that is wrong: `index` of the event (line, for NDJSON), RFC 6901 pointer inside it. */
export interface ProblemItem {
  index?: number;
  pointer: string;
  code: ProblemCode;
  detail: string;
}

export function problemKind(code: ProblemCode): ProblemKind {
  return PROBLEMS[code];
}
