// @ts-check
// npm run watch [-- --list NAME] [--ids A,B] [--json] [--alerts]: prints values and alerts until Ctrl+C, without a
// window.
import { runCommand } from './setup/processes.js'
import { ensureApp, runApp } from './setup/program.js'

runCommand(async () => {
  // Without a desktop Chromium logs many lines about a missing bus.
  const switches = ['--ozone-platform=headless', '--log-level=3']
  return runApp(await ensureApp(), switches, ['watch', ...process.argv.slice(2)])
})
