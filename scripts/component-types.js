// @ts-check
// Part of npm run check: oxlint's rules by types, on what svelte-check has just made of the components. What it names is a
// line of that; the component's own stands there in the same words.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, ended, projectRoot, runCommand, startChild } from './setup/processes.js'

const made = join('.svelte-check', 'svelte')
const prefix = '++'

runCommand(async () => {
  const files = readdirSync(join(projectRoot, made, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes(prefix))
    .map((file) => join('renderer', file))
    // Of a component that has gone, what was made stays.
    .filter((file) => existsSync(join(projectRoot, file.replace(prefix, '').replace(/\.ts$/, ''))))
  if (files.length === 0) throw new SetupError(`${made} has no component: run npm run check`)
  const oxlint = join('node_modules', 'oxlint', 'bin', 'oxlint')
  const args = [oxlint, '--config', '.oxlintrc.components.json', ...files.map((file) => join(made, file))]
  return ended(startChild('node', args, { stdio: ['ignore', 'inherit', 'inherit'] }))
})
