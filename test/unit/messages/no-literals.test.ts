import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../../../app');
/** Attributes whose text people read or hear. */
const SPOKEN = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'alt',
  'placeholder',
  'label',
  'description',
  'caption',
  'nothingFoundMessage',
]);
/** Parts of keys and signs, no words. */
const SIGNS = new Set(['rb_', 'ms']);

function listSources(): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join(APP, name));
}

const hasLetters = (text: string) => /\p{L}{2,}/u.test(text) && !SIGNS.has(text.trim());

function findLiterals(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const note = (node: ts.Node, text: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path.slice(APP.length + 1)}:${line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasLetters(node.text)) note(node, node.text);
    if (ts.isJsxExpression(node) && node.expression && ts.isStringLiteralLike(node.expression)) {
      if (!ts.isJsxAttribute(node.parent) && hasLetters(node.expression.text)) note(node, node.expression.text);
    }
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) {
      const value = node.initializer;
      if (value && ts.isStringLiteral(value) && hasLetters(value.text)) note(node, value.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('no text that people read is written into a component', () => {
  const sources = listSources();
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(findLiterals)).toEqual([]);
});
