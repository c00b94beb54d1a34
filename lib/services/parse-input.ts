import type { z } from 'zod';

/** What is wrong with one field of an input; `pointer` is RFC 6901. */
export interface InputFault {
  pointer: string;
  detail: string;
}

const FAULTS_MAX = 50;
const NAME_LENGTH_MAX = 100;

function pointerTo(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).slice(0, NAME_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Every fault with its pointer; a name that isn't known is pointed at itself. */
export function faultsOf(error: z.ZodError): InputFault[] {
  return error.issues
    .flatMap((issue) => {
      const detail = issue.message;
      if (issue.code !== 'unrecognized_keys') return [{ pointer: pointerTo(issue.path), detail }];
      return issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail }));
    })
    .slice(0, FAULTS_MAX);
}
