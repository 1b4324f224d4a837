import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * A child process inherits files that Chromium has open: the connection to the display, the profile, the file system of
 * an AppImage. A process that outlives the app must close them. Only bash can close numbers above 9.
 */
const closeFiles = `for file in /proc/$$/fd/*; do
  n=\${file##*/}
  case $n in
    [3-9]) eval "exec $n>&-" ;;
    [1-9][0-9]*) [ -z "$BASH_VERSION" ] || eval "exec $n>&-" ;;
  esac
done
`

interface Start {
  /** The script's `$1` and so on. */
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd?: string
  /** `pipe` if the app writes to its input. */
  input: 'pipe' | 'ignore'
}

/** Starts a shell that outlives the app and has none of its files open. Not for Windows. */
export function startDetachedShell(script: string, { args, input, ...options }: Start): ChildProcess {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  // On macOS the system closes them.
  const closing = process.platform === 'linux' ? closeFiles : ''
  const child = spawn(shell, ['-c', closing + script, 'sh', ...args], {
    ...options,
    detached: true,
    stdio: [input, 'ignore', 'ignore'],
  })
  child.unref()
  return child
}
