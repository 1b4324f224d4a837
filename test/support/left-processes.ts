import { readdir, readFile } from 'node:fs/promises'

interface FoundProcess {
  pid: number
  /** The program and its arguments. */
  command: string[]
}

/** Ended processes that were not waited for have no command line and are left out. Linux only. */
async function processesWith(argument: string): Promise<FoundProcess[]> {
  if (process.platform !== 'linux') return []
  const found: FoundProcess[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The process may have ended since.
    const text = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const command = text.split('\0')
    if (command.includes(argument)) found.push({ pid: Number(name), command })
  }
  return found
}

const isShell = ({ command }: FoundProcess) => /^\/bin\/(?:ba)?sh$/.test(command[0] ?? '')

/** The shells that restart crashed apps on this profile. */
export async function watchersOf(userData: string): Promise<number[]> {
  const found = await processesWith(`--user-data-dir=${userData}`)
  return found.filter(isShell).map(({ pid }) => pid)
}

/** The main processes of the apps on this profile. */
export async function appsOf(userData: string): Promise<number[]> {
  const found = await processesWith(`--user-data-dir=${userData}`)
  const isMain = ({ command }: FoundProcess) => !command.some((argument) => argument.startsWith('--type='))
  return found.filter((each) => !isShell(each) && isMain(each)).map(({ pid }) => pid)
}
