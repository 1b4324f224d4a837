import { execFileSync } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

export const failingKinds = ['open', 'write', 'sync', 'rename'] as const
export type FailingKind = (typeof failingKinds)[number]
/** The errors of each kind of call on a broken disk, on a full disk, or with too many open files. */
export const failingCodes: Record<FailingKind, (keyof typeof constants.errno)[]> = {
  open: ['EIO', 'EMFILE', 'ENOSPC'],
  write: ['EIO', 'ENOSPC'],
  sync: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC'],
}

export interface DiskFault {
  /** `symlink` is a disk on which only links fail. */
  kind: FailingKind | 'symlink'
  code: keyof typeof constants.errno
  /** Number of the first failing call of this kind on the files, from 1. 0 means none. */
  at: number
  /** Number of consecutive failing calls. */
  times: number
}

/** Builds the library that makes calls fail in `folder`. Returns its path. */
export function buildFailingCalls(folder: string): string {
  const library = join(folder, 'failing-calls.so')
  const source = join(import.meta.dirname, 'failing-calls.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, source, '-ldl'])
  return library
}

/** The variables that give a process this fault on files whose path begins with `under`. */
export function faultVariables(
  library: string,
  under: string,
  { kind, code, at, times }: DiskFault,
): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAIL_UNDER: under,
    FAIL_KIND: kind,
    FAIL_ERRNO: `${constants.errno[code]}`,
    FAIL_AT: `${at}`,
    FAIL_TIMES: `${times}`,
  }
}

/**
 * Under these variables every sync of a file whose path begins with `under` waits. The Nth sync creates the file
 * `${marks}.begun.N` and returns once the file `${marks}.done.N` exists.
 */
export function heldDiskVariables(library: string, under: string, marks: string): Record<string, string> {
  return { LD_PRELOAD: library, FAIL_UNDER: under, FAIL_KIND: 'hold', FAIL_HOLD: marks }
}

/** Under these variables the disk of files whose path begins with `under` is full while the file `mark` exists. */
export function fullDiskVariables(library: string, under: string, mark: string): Record<string, string> {
  const fault: DiskFault = { kind: 'write', code: 'ENOSPC', at: 0, times: 0 }
  return { ...faultVariables(library, under, fault), FAIL_WHILE: mark }
}
