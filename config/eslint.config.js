import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import local from '../scripts/eslint/plugin.js'
import svelteConfig from './svelte.config.js'

/**
 * Lints components and modules with runes without types. Oxlint runs the rules that need types: in modules with
 * config/oxlint.config.js, in components, as svelte-check generates them, with config/oxlint-components.json.
 */
export default defineConfig(
  {
    ignores: ['out/', 'release/', 'test-results/', 'playwright-report/', '.svelte-check/', '**/*.{js,cjs,mjs}'],
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [
      js.configs.recommended,
      ts.configs.strict,
      ts.configs.stylistic,
      svelte.configs.recommended,
      prettier,
      svelte.configs.prettier,
    ],
    plugins: { local },
    languageOptions: {
      globals: globals.browser,
      // Without the functions of the Svelte configuration, because the cache cannot store them.
      parserOptions: { parser: ts.parser, svelteConfig: { compilerOptions: svelteConfig.compilerOptions } },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'local/safe-syntax': 'error',
      'svelte/no-at-html-tags': 'error',
      eqeqeq: 'error',
      // These return `any`, which no rule without types detects.
      'no-restricted-properties': [
        'error',
        { object: 'JSON', property: 'parse', message: 'What is parsed is validated in core/ or protocol/.' },
        { property: 'json', message: 'What is parsed is validated in core/ or protocol/.' },
      ],
    },
  },
)
