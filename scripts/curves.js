// @ts-check
// npm run curves [-- NAME…]: what grows with indices, messages, rules and hours, drawn in docs/performance.md.
import { runWithApp } from './testing/long-run.js'

runWithApp('curves', 'test', 'bench', 'curves', 'run.ts')
