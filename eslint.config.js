import js from '@eslint/js';
import globals from 'globals';
import next from '@next/eslint-plugin-next';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const noClockNorChance = [
  { object: 'Date', property: 'now', message: 'Time is a parameter here.' },
  { object: 'Math', property: 'random', message: 'Chance has no place here.' },
  { object: 'performance', property: 'now', message: 'Time is a parameter here.' },
];

export default tseslint.config(
  { ignores: ['.next/**', 'node_modules/**', '.readback/**', 'next-env.d.ts', 'coverage/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only lib/platform/env.ts reads the environment.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExpressionStatement > Literal[value="use server"]',
          message: 'No Server Actions: writes are route handlers.',
        },
        {
          selector: 'ExpressionStatement > Literal[value="use client"]',
          message: "'use client' only in *.client.tsx and Next's error files.",
        },
      ],
      eqeqeq: ['error', 'always'],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['lib/platform/env.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['lib/core/**/*.ts', 'lib/present/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...noClockNorChance],
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Pure code.' },
        { name: 'fetch', message: 'Pure code.' },
        { name: 'crypto', message: 'Pure code.' },
        { name: 'setTimeout', message: 'Pure code.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Time is a parameter here.' },
        { selector: 'ThrowStatement', message: 'Core returns its refusals.' },
      ],
    },
  },
  {
    files: ['app/**/*.client.tsx', 'app/**/error.tsx', 'app/global-error.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExpressionStatement > Literal[value="use server"]',
          message: 'No Server Actions: writes are route handlers.',
        },
      ],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks, '@next/next': next },
    rules: { ...reactHooks.configs.recommended.rules, ...next.configs.recommended.rules },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: globals.node,
    },
    rules: { 'no-restricted-properties': 'off' },
  },
);
