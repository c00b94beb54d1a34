import { isCardNumber } from './card-number';
import { isOwnKey } from './key-text';
import { hintOfSecret, type SecretHint } from './mask-hints';
import { isSecretName } from './secret-names';

/**
 * Removes secrets before anything is stored or logged: by value and by name, in linear time.
 * Every quantifier is bounded or ends at a character it can't pass, so that no text makes it quadratic.
 * A replacement reads `[redacted-<rule>]`; inside identifiers it carries a keyed hash, so that two stay two.
 */

export interface Masker {
  /** Free text. */
  text(value: string): string;
  /** A name that tells things apart: only rules by value, and secrets in a URL's query. */
  identifier(value: string): string;
  /** A value that stands under `name`. */
  named(name: string, value: string): string;
  /** Replacements made so far. */
  count(): number;
}

export interface MaskOptions {
  /** Keyed hash that keeps masked identifiers apart. */
  hash: (value: string) => string;
}

interface Rule {
  name: string;
  pattern: RegExp;
  /** Part of the match that stays in front. */
  keeps?: (match: string) => string;
  accepts?: (match: string) => boolean;
}

const VALUE_TRIGGER =
  ':\\/\\/|\\/rest\\/|\\d{4}[ -]?\\d{4,6}[ -]?\\d{4}|rb_|eyJ|-----BEGIN|A(?:KI|SI|RO|ID)A|gh[pousr]_|github_pat_|' +
  'xox[abeprs]-|[srp]k_(?:live|test)_|whsec_|sk-|AIza|bearer|basic ';
const NAME_TRIGGER = 'pass|pwd|secret|token|key|auth|cred|sess|cookie|otp|ssn|iban|card|cv[vc]|pin|sig|jwt|sid';
/** Nothing below matches a text without one of these. */
const TEXT_TRIGGER = new RegExp(`${VALUE_TRIGGER}|${NAME_TRIGGER}`, 'i');

const looksSecret = (match: string): boolean => {
  const token = match.slice(match.search(/\s/) + 1).trim();
  return token.length >= 20 || /[^A-Za-z]|[a-z][A-Z]|[A-Z]{2}/.test(token);
};

const VALUE_RULES: Rule[] = [
  {
    name: 'key',
    pattern: /rb_(?:ingest|read|operate)_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}/g,
    accepts: isOwnKey,
  },
  { name: 'pem', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g },
  { name: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{5,8192}\.[\w-]{2,8192}(?:\.[\w-]{0,8192})?/g },
  {
    name: 'bearer',
    pattern: /\b(?:bearer|basic)\s{1,3}[\w.~+/=-]{6,8192}/gi,
    keeps: (match) => match.slice(0, match.search(/\s/) + 1),
    accepts: looksSecret,
  },
  { name: 'aws', pattern: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g },
  { name: 'github', pattern: /\bgh[pousr]_[0-9A-Za-z]{20,255}|\bgithub_pat_\w{20,255}/g },
  { name: 'slack', pattern: /\bxox[abeprs]-[0-9A-Za-z-]{10,255}/g },
  { name: 'stripe', pattern: /\b[srp]k_(?:live|test)_[0-9A-Za-z]{10,255}|\bwhsec_[\w+/=]{16,255}/g },
  { name: 'google', pattern: /\bAIza[\w-]{35}/g },
  { name: 'openai', pattern: /\bsk-[\w-]{20,255}/g },
  { name: 'url', pattern: /:\/\/[^\s/?#"'<>]{1,2048}@/g, keeps: () => '://' },
  {
    name: 'webhook',
    pattern: /\/rest\/\d{1,12}\/[0-9a-z]{8,128}(?=[/?#\s"']|$)/gi,
    keeps: (match) => match.slice(0, match.lastIndexOf('/') + 1),
  },
  { name: 'card', pattern: /(?<!\w|\d-)\d(?:[ -]?\d){12,18}(?!\w|-\d)/g, accepts: (match) => isCardNumber(match) },
  // Beside another number the first pattern takes both for one.
  { name: 'card', pattern: /(?<!\w)\d{13,19}(?!\w)/g, accepts: isCardNumber },
];

const CARD_RULES = VALUE_RULES.filter(({ name }) => name === 'card');

const COOKIE = /\b((?:set-)?cookie\\?["']?\s{0,3}[:=]\s{0,3})([^\r\n]+)/gi;
/** A name and what parts it from its value: in text, and in a URL's query. */
const NAMED = /(?<![\w.-])([\w.-]{2,64})\\?["']?\s{0,3}[:=]\s{0,3}/g;
const QUERY = /(?<=[?&])([\w.-]{2,64})=/g;
const VALUE = /"[^"\n]{1,4096}"?|'[^'\n]{1,4096}'?|\\"[^"\\\n]{1,4096}|[^\s"'&;,<>{}[\]\\]{1,8192}/y;
const DONE = /^\\?["']?(?:\[redacted|(?:bearer|basic) \[redacted)/i;

function byValue(text: string, rules: readonly Rule[], tag: (rule: string, match: string) => string): string {
  let masked = text;
  for (const rule of rules) {
    masked = masked.replace(rule.pattern, (match) => {
      if (rule.accepts && !rule.accepts(match)) return match;
      return (rule.keeps?.(match) ?? '') + tag(rule.name, match) + (rule.name === 'url' ? '@' : '');
    });
  }
  return masked;
}

/** A name that isn't secret gives nothing up: the search goes on right behind it, inside its value. */
function byName(text: string, names: RegExp, tag: (rule: string, match: string) => string): string {
  let masked = '';
  let from = 0;
  names.lastIndex = 0;
  for (let found = names.exec(text); found; found = names.exec(text)) {
    if (!isSecretName(found[1] ?? '') || DONE.test(text.slice(names.lastIndex, names.lastIndex + 24))) continue;
    VALUE.lastIndex = names.lastIndex;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined) continue;
    masked += text.slice(from, names.lastIndex) + tag('name', value);
    from = names.lastIndex + value.length;
    names.lastIndex = from;
  }
  return masked + text.slice(from);
}

export function createMasker(options: MaskOptions): Masker {
  return new CountingMasker(options);
}

/**
 * Identifiers that look as if a rule could match and that no rule changes: calls, hosts and versions come again and
 * again. Nothing that was masked is ever in it.
 */
const harmless = new Set<string>();
const HARMLESS_MAX = 10_000;
const HARMLESS_CHARACTERS_MAX = 100;

function noteHarmless(value: string): void {
  if (value.length > HARMLESS_CHARACTERS_MAX) return;
  if (harmless.size >= HARMLESS_MAX) harmless.clear();
  harmless.add(value);
}

/** A class and not closures: one is made for every request. */
class CountingMasker implements Masker {
  private replaced = 0;

  constructor(private readonly options: MaskOptions) {}

  text(value: string): string {
    if (!TEXT_TRIGGER.test(value)) return value;
    const plain = (rule: string): string => this.plain(rule);
    const masked = byValue(value, VALUE_RULES, plain).replace(COOKIE, (_match, head: string) => head + plain('cookie'));
    return byName(masked, NAMED, plain);
  }

  identifier(value: string): string {
    const hint = hintOfSecret(value);
    if (hint === 'none' || harmless.has(value)) return value;
    const masked = this.maskIdentifier(value, hint);
    if (masked === value) noteHarmless(value);
    return masked;
  }

  named(name: string, value: string): string {
    return isSecretName(name) && value !== '' ? this.plain('name') : this.text(value);
  }

  count(): number {
    return this.replaced;
  }

  private maskIdentifier(value: string, hint: Exclude<SecretHint, 'none'>): string {
    const hashed = (rule: string, match: string): string => this.hashed(rule, match);
    if (hint === 'digits') return byValue(value, CARD_RULES, hashed);
    return byName(byValue(value, VALUE_RULES, hashed), QUERY, hashed);
  }

  private plain(rule: string): string {
    this.replaced += 1;
    return `[redacted-${rule}]`;
  }

  private hashed(rule: string, match: string): string {
    this.replaced += 1;
    return `[redacted-${rule}:${this.options.hash(match).slice(0, 8)}]`;
  }
}
