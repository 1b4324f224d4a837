// @ts-check
import { SetupError, startChild } from './processes.js'

const screen = '1280x900x24'

/** Whether there is a display to show a window on. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
}

/**
 * Starts a virtual display on a free number. It ends with this process.
 * @returns {Promise<string>} the value for DISPLAY
 */
export function startVirtualDisplay() {
  // The server writes its number to descriptor 3 once it accepts clients.
  const server = startChild('Xvfb', ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp'], {
    role: 'helper',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  return new Promise((done, failed) => {
    let errors = ''
    let number = ''
    server.stderr?.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-2000)))
    server.stdio[3]?.on('data', (text) => {
      number += String(text)
      if (number.endsWith('\n')) done(`:${number.trim()}`)
    })
    server.once('error', (error) => failed(new SetupError(`Xvfb could not be started: ${error.message}`)))
    server.once('exit', () => failed(new SetupError(`Xvfb ended at once: ${errors.trim()}`)))
  })
}
