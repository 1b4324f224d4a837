// @ts-check
// npm run mcp [-- --user-data-dir=DIR]: the server for AI assistants, over stdio. stdout carries only MCP. Set-up
// writes to stderr, and .npmrc keeps npm from printing the script's name on stdout.
import { runProgram } from './setup/program.js'

runProgram('assistant-cli', 'inherit')
