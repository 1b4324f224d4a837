// @ts-check
// npm run export -- --ids BRTI --from 2026-11-01 --to 2026-11-02 --out FILE.csv: exports history values to a file.
import { runProgram } from './setup/program.js'

runProgram('export-cli')
