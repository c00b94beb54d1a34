/** Free-form maps: their members are not ours to know. */
const FREE = new Set(['attributes', 'headers']);

export function isFreeForm(name: string): boolean {
  return FREE.has(name);
}

/** Members of a sent object that its schema dropped, nested ones too. */
export function countIgnored(input: object, output: object): number {
  let ignored = 0;
  for (const [key, value] of Object.entries(input) as [string, unknown][]) {
    if (!Object.hasOwn(output, key)) ignored += 1;
    else if (typeof value === 'object' && value !== null && !FREE.has(key))
      ignored += countIgnored(value, (output as Record<string, object>)[key] ?? {});
  }
  return ignored;
}
