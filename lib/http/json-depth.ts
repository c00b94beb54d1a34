const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Most bodies of one event open fewer objects and arrays than may be nested; finding that out is a search in bytes. */
function hasFewOpenings(text: string, most: number): boolean {
  let openings = 0;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      openings += 1;
      if (openings > most) return false;
    }
  }
  return true;
}

/**
 * True when the text nests objects and arrays deeper than `depthMax`. A loop, not recursion: `JSON.parse` itself
 * takes any depth, what comes after it doesn't. Says nothing about whether the text is JSON.
 */
export function isDeeperThan(text: string, depthMax: number): boolean {
  if (hasFewOpenings(text, depthMax)) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (quoted) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) quoted = false;
    } else if (unit === QUOTE) quoted = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}
