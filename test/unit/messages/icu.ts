/** Just enough of ICU MessageFormat to hold catalogues against each other. */

export interface IcuChoice {
  argument: string;
  kind: string;
  forms: string[];
}

/** The text between the brace at `start` and its partner. */
function insideBraces(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  return text.slice(start + 1);
}

/** Every `{…}` at the top of `text`, without its braces. */
function topGroups(text: string): { before: string; inside: string }[] {
  const groups: { before: string; inside: string }[] = [];
  let from = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', from)) {
    const inside = insideBraces(text, at);
    groups.push({ before: text.slice(from, at), inside });
    from = at + inside.length + 2;
  }
  return groups;
}

/** Plurals and selects, nested ones too, with the names of their forms. */
export function readForms(text: string): IcuChoice[] {
  return topGroups(text).flatMap(({ inside }): IcuChoice[] => {
    const head = /^\s*(\w+)\s*,\s*(plural|select|selectordinal)\s*,/.exec(inside);
    if (!head) return [];
    const [whole, argument = '', kind = ''] = head;
    const forms = topGroups(inside.slice(whole.length));
    const names = forms.map(({ before }) => before.trim().split(/\s+/).at(-1) ?? '');
    return [{ argument, kind, forms: names }, ...forms.flatMap((form) => readForms(form.inside))];
  });
}

/** Names of all arguments, sorted, each once. */
export function readPlaceholders(text: string): string[] {
  const names = topGroups(text).flatMap(({ inside }): string[] => {
    const head = /^\s*(\w+)\s*(?:,\s*(\w+)\s*(?:,|$))?/.exec(inside);
    if (!head) return [];
    const [whole, argument = '', kind] = head;
    const nested =
      kind && /plural|select/.test(kind)
        ? topGroups(inside.slice(whole.length)).flatMap((form) => readPlaceholders(form.inside))
        : [];
    return [argument, ...nested];
  });
  return [...new Set(names)].sort();
}
