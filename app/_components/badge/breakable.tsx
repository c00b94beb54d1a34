import { Fragment } from 'react';

/** A code, call or id that breaks after its own joints (`_`, `.`, `/`, `#`) before it breaks inside a word. */
export function Breakable({ value }: { value: string }) {
  const parts = value.split(/(?<=[_./#])(?=.)/u);
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
