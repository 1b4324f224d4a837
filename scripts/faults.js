// @ts-check
// npm run faults: docs/faults.md from test/faults.jsonl.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectRoot } from './setup/processes.js'
import { faultsPage, readFaults } from './testing/faults.js'

const path = join(projectRoot, 'docs', 'faults.md')
const page = faultsPage(readFaults(readFileSync(join(projectRoot, 'test', 'faults.jsonl'), 'utf8')))
writeFileSync(path, await format(page, { ...(await resolveConfig(path)), filepath: path }))
