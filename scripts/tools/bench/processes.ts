/** Resource use of processes, as counted by Linux. */
import { readdirSync, readFileSync } from 'node:fs'

/** CPU in µs that all threads of a process have used so far. */
export function cpuOfUs(pid: number): number {
  return threadsOf(pid).reduce((sumUs, path) => sumUs + (threadCpuUs(path) ?? 0), 0)
}

/** Resource use of a thread so far: CPU in µs, and how often it was woken after sleeping. */
interface ThreadSpent {
  cpuUs: number
  wakes: number
}

/** By thread. */
export type Spent = ReadonlyMap<string, ThreadSpent>

export function spentBy(pids: readonly number[]): Spent {
  const spent = new Map<string, ThreadSpent>()
  for (const path of pids.flatMap(threadsOf)) {
    const status = textOf(`${path}/status`)
    const cpuUs = threadCpuUs(path)
    const wakes = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status ?? '')?.[1])
    if (cpuUs !== undefined && status !== undefined) spent.set(path, { cpuUs, wakes })
  }
  return spent
}

/** Use between two readings. Threads that ended in between do not count. */
export function spentBetween(before: Spent, after: Spent): ThreadSpent {
  let sum: ThreadSpent = { cpuUs: 0, wakes: 0 }
  for (const [path, { cpuUs, wakes }] of after) {
    const past = before.get(path)
    sum = { cpuUs: sum.cpuUs + cpuUs - (past?.cpuUs ?? 0), wakes: sum.wakes + wakes - (past?.wakes ?? 0) }
  }
  return sum
}

/** Memory of a process in bytes, with its share of shared pages (PSS). */
export function pssBytes(pid: number): number {
  const text = textOf(`/proc/${pid}/smaps_rollup`)
  return text === undefined ? 0 : Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
}

/** Private memory of a process in bytes, without files and without pages shared with other programs. */
export function ownBytes(pid: number): number {
  const text = textOf(`/proc/${pid}/smaps_rollup`)
  return text === undefined ? 0 : Number(/^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
}

/** Paths of the process's threads in /proc. Empty after it has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

function threadCpuUs(path: string): number | undefined {
  const text = textOf(`${path}/schedstat`)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / 1e3
}

/** Undefined if the process or the thread has ended. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
