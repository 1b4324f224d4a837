// @ts-check
// npm run soak [-- --hours N | --minutes N] [--seed N]: the app for hours over a line that fails; docs/reports/endurance.md.
import { runWithApp } from './testing/long-run.js'

runWithApp('soak', 'test', 'soak', 'run.ts')
