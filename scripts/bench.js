// @ts-check
// npm run bench [-- NAME…] [--json] [--strict]: the budgets of docs/performance.md, each beside its limit in the same run.
import { runWithApp } from './testing/long-run.js'

runWithApp('bench', 'test', 'bench', 'run.ts')
