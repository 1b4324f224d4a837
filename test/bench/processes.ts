/** What a process takes, in Linux's own count. */
import { readdirSync, readFileSync } from 'node:fs'

/** CPU in microseconds that a process has taken so far, over its threads. */
export function cpuOfUs(pid: number): number {
  let sumUs = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const text = textOf(`/proc/${pid}/task/${thread}/schedstat`)
    if (text !== undefined) sumUs += Number(text.split(' ')[0]) / 1e3
  }
  return sumUs
}

/** Memory of a process in bytes, of what it shares its part. */
export function pssBytes(pid: number): number {
  const text = textOf(`/proc/${pid}/smaps_rollup`)
  return text === undefined ? 0 : Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
}

/** The part of it that is the process's own: no file, and nothing that another program shares by chance. */
export function ownBytes(pid: number): number {
  const text = textOf(`/proc/${pid}/smaps_rollup`)
  return text === undefined ? 0 : Number(/^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
}

/** `undefined`: the process or the thread has ended since. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
