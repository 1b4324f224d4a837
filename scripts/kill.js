// @ts-check
// npm run kill [-- N] [--disk] [--seed N]: the app is killed N times while everything it keeps is being changed, with --disk
// on a disk that fails; docs/reports/endurance.md.
import { runWithApp } from './testing/long-run.js'

runWithApp('kill', 'test', 'kill', 'run.ts')
