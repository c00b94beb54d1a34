import { refuse, type Result } from '@/lib/core/result';
import { isDeeperThan } from '@/lib/http/json-depth';
import {
  decodeEvents,
  DEPTH_MAX,
  EVENTS_MAX,
  type DecodedBody,
  type DecodeRefusal,
  type RawEvent,
} from './decode-json';

function decodeLine(line: string, index: number): RawEvent {
  if (isDeeperThan(line, DEPTH_MAX))
    return { index, error: { index, pointer: '', code: 'too_deep', detail: 'The line is nested too deep.' } };
  try {
    return { index, value: JSON.parse(line) as unknown };
  } catch {
    return {
      index,
      error: { index, pointer: '', code: 'validation_failed', detail: 'The line is not valid JSON in UTF-8.' },
    };
  }
}

/** One event a line; `index` counts lines from 0, empty ones too, which hold no event. Each line is judged alone. */
export function decodeNdjson(text: string): Result<DecodedBody, DecodeRefusal> {
  const events: RawEvent[] = [];
  let from = 0;
  for (let index = 0; from < text.length; index += 1) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    // The byte order mark is white space to trim(), and no empty line to us.
    if (/^[ \t\r]*$/.test(line)) continue;
    if (events.length >= EVENTS_MAX) return refuse('batch_too_large');
    events.push(decodeLine(line, index));
  }
  return decodeEvents(events);
}
