/** The message of a refused start, and the process that shows it. */
type Environment = Readonly<Record<string, string | undefined>>

/** What to do about a switch that `findRefusedSwitch` (launch-options.ts) reported. */
export function refusedSwitchMessage(foreign: string, env: Environment): string {
  if (!/^--?no-sandbox$/.test(foreign.trim())) return `${foreign} is not allowed. Start the app without it.`
  const { APPIMAGE, INDEXWATCH_FOLDER: folder } = env
  if (APPIMAGE === undefined && folder === undefined)
    return `${foreign} would turn off the sandbox of the window. Start the app without it.`
  // AppImages and resources/build/linux/start-indexwatch add --no-sandbox if user namespaces are not available.
  const remedy =
    folder === undefined
      ? 'on Ubuntu by “sysctl kernel.apparmor_restrict_unprivileged_userns=0”.'
      : `by “chown root ${folder}/chrome-sandbox && chmod 4755 ${folder}/chrome-sandbox”.`
  return (
    `This system does not let ${folder === undefined ? 'an AppImage' : 'an unpacked app'} sandbox its window: ` +
    'it blocks user namespaces. Install the deb or the rpm package of Indexwatch instead. ' +
    `Or have your administrator allow it: ${remedy}`
  )
}

const refusalFlag = '--refused='

/** Arguments of the process that shows why the app does not start, without the refused switches. */
export function refusalArguments(message: string, argv: readonly string[]): string[] {
  // Without a sandbox no process starts without this switch.
  return [...(argv.includes('--no-sandbox') ? ['--no-sandbox'] : []), refusalFlag + message]
}

/** The environment of that process, without secrets. */
export function refusalEnvironment(env: Environment): Environment {
  const left = new Set(['NODE_DEBUG', 'INDEXWATCH_KEY_SECRET', 'INDEXWATCH_DESK_PASSWORD'])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name)))
}

/** The message that this process must show. Undefined for any other start. `argv` is without the executable. */
export function refusalToShow(argv: readonly string[]): string | undefined {
  const [first, ...more] = argv.filter((argument) => argument !== '--no-sandbox')
  return more.length === 0 && first?.startsWith(refusalFlag) ? first.slice(refusalFlag.length) : undefined
}
