// @ts-check
import { say } from './terminal.js'

/**
 * Chromium refuses to start as root with its sandbox on.
 * @param {string} flag the switch as the started program spells it
 * @returns {string[]} the switch, or nothing where it is not needed
 */
export function sandboxFlags(flag) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return []
  say('warning', `running as root: Chromium's sandbox is off (${flag})`)
  return [flag]
}
