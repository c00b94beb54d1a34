/** What stands for an id in a call's template. */
const ID = '{id}';

const INTEGERS = /^[+-]?\d+(?:,\d+)*$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i;
const HEX = /^(?:0x)?[0-9a-f]{8,}$/i;
const EMAIL = /^(?:[^\s@%]|%(?!40)[0-9a-f]{2})+(?:@|%40)[^\s@%]+\.[a-z]{2,}$/i;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const TOKEN = /^[\w+-]{16,}={0,2}$/;
/** Words of a name and numbers between them. */
const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;

/** Random text breaks off at every second character or so; names are made of words. */
const RUN_MEAN_MAX = 2.2;
/** No name counts four things. */
const NUMBERS_OF_TOKEN = 4;

/** `order-10023`, `inv_2024001`: a word and a long number. */
const NUMBERED = /^([A-Za-z]+[-_:])\d{4,}$/;
/** `123.json`, `123:cancel`: what follows an id is part of the name. */
const SUFFIXED = /^(.+?)(\.[A-Za-z][A-Za-z0-9]{0,7}|:[A-Za-z]+)$/;
/** `Orders(123)`, `Orders('A1')` of OData. */
const KEYED = /^([A-Za-z]\w*)\('?([^()']+)'?\)$/;
/** `/api/2/issue`: a version, of which there are few. */
const VERSIONED = /^(?:api|versions?)$/i;
const VERSION = /^\d{1,2}$/;

/** Where the path of an absolute URL begins. */
const AUTHORITY = /^[^/?]*:\/\/[^/?#]*/;
const PATH = /[/?]/;
const SIGN_OF_ID = /[\d@]/;

function isToken(text: string): boolean {
  if (!TOKEN.test(text) || !/\d/.test(text)) return false;
  const runs = text.match(RUNS) ?? [];
  if (runs.filter((run) => /\d/.test(run)).length >= NUMBERS_OF_TOKEN) return true;
  const mixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  return mixed && text.replace(/[^A-Za-z0-9]/g, '').length / runs.length <= RUN_MEAN_MAX;
}

function isHex(text: string): boolean {
  return HEX.test(text) && (text.match(/\d/g)?.length ?? 0) >= 2;
}

function isId(text: string): boolean {
  return (
    INTEGERS.test(text) ||
    UUID.test(text) ||
    isHex(text) ||
    ULID.test(text) ||
    EMAIL.test(text) ||
    isToken(text) ||
    JWT.test(text)
  );
}

function templatePart(part: string): string {
  if (isId(part)) return ID;
  const numbered = NUMBERED.exec(part);
  if (numbered) return `${numbered[1] ?? ''}${ID}`;
  const keyed = KEYED.exec(part);
  if (keyed && isId(keyed[2] ?? '')) return `${keyed[1] ?? ''}(${ID})`;
  const suffixed = SUFFIXED.exec(part);
  if (suffixed && isId(suffixed[1] ?? '')) return `${ID}${suffixed[2] ?? ''}`;
  return part;
}

function templatePath(path: string): string {
  const [head = '', ...segments] = path.split('/');
  return segments.reduce(
    ({ text, before }, segment) => {
      const version = VERSIONED.test(before) && VERSION.test(segment);
      return { text: `${text}/${version ? segment : templatePart(segment)}`, before: segment };
    },
    { text: head, before: head },
  ).text;
}

/** Names stay: `?method=crm.deal.add` says which call it is. */
function templateQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const cut = pair.indexOf('=');
      return cut < 0 ? pair : pair.slice(0, cut + 1) + templatePart(pair.slice(cut + 1));
    })
    .join('&');
}

/**
 * The template of a call: ids in the segments of its path and in the values of its query become `{id}`
 * (`GET /orders/123` and `GET /orders/124` are `GET /orders/{id}`). Integers, UUIDs, ULIDs, long hexadecimal numbers,
 * e-mail addresses and random tokens are ids. What comes before the first `/` or `?` is never touched, so that names of
 * methods stay apart (`crm.deal.add`, `POST`). Counting by templates is what keeps the number of calls small; the event
 * itself keeps the call as it was sent. A template is its own template.
 */
export function templateCall(call: string): string {
  if (!PATH.test(call) || !SIGN_OF_ID.test(call)) return call;
  const authority = AUTHORITY.exec(call)?.[0] ?? '';
  const rest = call.slice(authority.length);
  const cut = rest.indexOf('?');
  if (cut < 0) return authority + templatePath(rest);
  return `${authority}${templatePath(rest.slice(0, cut))}?${templateQuery(rest.slice(cut + 1))}`;
}
