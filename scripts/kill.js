// @ts-check
// npm run kill [-- N] [--seed N]: the app is killed N times while everything it keeps is being changed; docs/soak.md.
import { runWithApp } from './testing/long-run.js'

runWithApp('kill', 'test', 'kill', 'run.ts')
