// @ts-check
// npm run simulator -- [--port N] [--seed N] [--scenario NAME]: the standalone simulator. Its first line on stdout is
// its address. Set-up writes to stderr, and .npmrc keeps npm from printing the script's name on stdout.
import { runProgram } from './setup/program.js'

runProgram('simulator-cli')
