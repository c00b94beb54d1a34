/**
 * A look at an identifier that costs a fraction of the rules it stands in front of: a secret by value begins with one
 * of a few letter pairs, or is a long run of digits.
 */

/** `digits`: a card number can be in it, and nothing else. */
export type SecretHint = 'none' | 'digits' | 'any';

/** First two characters, in lower case, of everything that a rule by value looks for; `?` and `&` stand alone. */
const PAIRS = [
  ':/', '/r', 'rb', 'ey', '--', 'ak', 'as', 'ar', 'ai', 'gh', 'gi', 'xo', 'sk', 'rk', 'pk', 'wh', 'be', 'ba',
]; // prettier-ignore
const SINGLES = ['?', '&'];
/** The shortest card number; written in groups, it starts with a group of four (lib/platform/card-number.ts). */
const DIGITS_MIN = 14;
const FIRST_GROUP = 4;
const ASCII = 128;

const pairTable = new Uint8Array(ASCII * ASCII);
for (const pair of PAIRS) pairTable[pair.charCodeAt(0) * ASCII + pair.charCodeAt(1)] = 1;
for (const single of SINGLES)
  for (let first = 0; first < ASCII; first += 1) pairTable[first * ASCII + single.charCodeAt(0)] = 1;

export function hintOfSecret(text: string): SecretHint {
  let hint: SecretHint = 'none';
  let before = 0;
  // Of the run of digits, spaces and dashes that is being read: all its digits, and those since its last separator.
  let digits = 0;
  let group = 0;
  let hasFour = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const lower = unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit;
    if (lower >= ASCII) {
      before = digits = group = 0;
      hasFour = false;
      continue;
    }
    if (pairTable[before * ASCII + lower] === 1) return 'any';
    if (lower >= 0x30 && lower <= 0x39) {
      digits += 1;
      group += 1;
      if (group >= DIGITS_MIN || (hasFour && digits >= DIGITS_MIN)) hint = 'digits';
    } else if (lower === 0x20 || lower === 0x2d) {
      if (group === FIRST_GROUP) hasFour = true;
      group = 0;
    } else {
      digits = group = 0;
      hasFour = false;
    }
    before = lower;
  }
  return hint;
}
