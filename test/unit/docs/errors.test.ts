import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderErrorDocs } from '../../support/error-docs';

test('docs/errors.md says what the closed list of problem codes says', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(renderErrorDocs());
});
