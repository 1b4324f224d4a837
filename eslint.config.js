import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { electronApis } from './scripts/eslint/electron-apis.js'
import svelteConfig from './svelte.config.js'

/** Names that open a hole in an Electron app; see docs/decisions/0005-security.md. */
const forbidden = [
  { selector: "CallExpression[callee.name='eval']", message: 'No code from strings.' },
  { selector: "NewExpression[callee.name='Function']", message: 'No code from strings.' },
  { selector: "CallExpression[callee.property.name='executeJavaScript']", message: 'No code from strings.' },
  { selector: "CallExpression[callee.property.name='setCertificateVerifyProc']", message: 'TLS checks stay on.' },
  { selector: "Property[key.name='rejectUnauthorized'][value.value=false]", message: 'TLS checks stay on.' },
  { selector: "MemberExpression[property.name='innerHTML']", message: 'Text is set as text.' },
  { selector: "MemberExpression[object.name='shell'][property.name='openExternal']", message: 'No address is opened.' },
]

export default defineConfig(
  {
    ignores: [
      'out/',
      'release/',
      'test-results/',
      'playwright-report/',
      '.svelte-check/',
      'electron.vite.config.*.mjs',
    ],
  },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'no-restricted-syntax': ['error', ...forbidden],
      'svelte/no-at-html-tags': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    files: ['main/**', 'preload/**'],
    plugins: { local: { rules: { 'electron-apis': electronApis } } },
    rules: { 'local/electron-apis': 'error' },
  },
  {
    files: ['main/**', 'preload/**', 'simulator/**', 'test/**', '*.config.*', '.dependency-cruiser.js'],
    languageOptions: { globals: globals.node },
  },
  {
    // From the pattern Playwright reads which fixtures a function takes, and some take none.
    files: ['test/**'],
    rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] },
  },
  {
    // Electron loads it before an app or into a page, where there are no modules.
    files: ['test/**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  { files: ['scripts/**'], extends: [ts.configs.disableTypeChecked], languageOptions: { globals: globals.node } },
  prettier,
  svelte.configs.prettier,
)
