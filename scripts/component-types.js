// @ts-check
// Part of npm run check: runs oxlint's type-aware rules on the TypeScript that svelte-check generated from the components.
// Line numbers are those of the generated file, which contains the component's own lines.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, projectRoot, runCommand, runNode } from './setup/processes.js'

const made = join('.svelte-check', 'svelte')
const prefix = '++'

runCommand(async () => {
  const files = readdirSync(join(projectRoot, made, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes(prefix))
    .map((file) => join('renderer', file))
    // The output of a deleted component stays.
    .filter((file) => existsSync(join(projectRoot, file.replace(prefix, '').replace(/\.ts$/, ''))))
  if (files.length === 0) throw new SetupError(`${made} has no component: run npm run check`)
  const oxlint = join('node_modules', 'oxlint', 'bin', 'oxlint')
  const args = [oxlint, '--config', join('config', 'oxlint-components.json'), ...files.map((file) => join(made, file))]
  return runNode(args)
})
