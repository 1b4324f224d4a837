/** `npm run export`, in plain Node. */
import { runExport } from './export-command'

// npm runs scripts in the project's folder, but the path of the file is relative to the user's.
const from = process.env['INIT_CWD'] ?? process.cwd()
process.exitCode = await runExport(process.argv.slice(2), { program: 'npm run export --', from })
