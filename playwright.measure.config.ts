import { defineConfig } from '@playwright/test'

/** They want packages, overwrite the pictures of the docs, or write a tape of 1 GiB: only when they are named. */
const onlyNamed = ['package', 'pictures', 'start', 'views', 'wayland']
const named = process.argv.slice(2)

/** `npm run measure`: prints what it measured in real Electron; no part of the tests. */
export default defineConfig({
  testDir: 'test/measure',
  testIgnore: onlyNamed
    .filter((name) => !named.some((each) => each.includes(name)))
    .map((name) => `**/${name}.spec.ts`),
  workers: 1,
  reporter: [['line']],
})
