import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import local from './scripts/eslint/plugin.js'
import svelteConfig from './svelte.config.js'

/** Components, and modules with runes; all else is for oxlint (.oxlintrc.json), with the same rules. */
export default defineConfig(
  {
    ignores: ['out/', 'release/', 'test-results/', 'playwright-report/', '.svelte-check/', '**/*.{js,cjs,mjs}'],
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [
      js.configs.recommended,
      ts.configs.strictTypeChecked,
      ts.configs.stylisticTypeChecked,
      svelte.configs.recommended,
      prettier,
      svelte.configs.prettier,
    ],
    plugins: { local },
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
        parser: ts.parser,
        svelteConfig,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'local/safe-syntax': 'error',
      'svelte/no-at-html-tags': 'error',
      eqeqeq: 'error',
    },
  },
)
